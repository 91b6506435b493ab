# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# sshd.sh - simulated machines that ssh reaches. Each is a network namespace with an sshd, a
# hostname and a /run. Needs alone.sh. The machines disappear together with alone.sh's namespaces.
#
# Keys and configurations of OpenSSH are in a directory of the test; /etc/ssh and /root/.ssh are neither read nor changed.

: "${tmp:?}" "${top:?}"

sshd_dir=$tmp/sshd
sshd_hosts=0

# sshd_lack: print what is missing to run the machines, or nothing
sshd_lack() {
	for lack_program in ansible-playbook ssh ssh-keygen sshd ip; do
		[ -n "$(PATH=$PATH:/usr/sbin command -v "$lack_program")" ] || {
			printf '%s is missing: scripts/dev/packages fleet\n' "$lack_program"
			return
		}
	done
	[ -n "${WAKELAT_ALONE-}" ] || {
		printf 'network namespaces need root\n'
		return
	}
	ip netns add lack 2>/dev/null && ip link add lack0 type veth peer name lack1 netns lack 2>/dev/null ||
		printf 'this kernel has no virtual network cards (veth)\n'
	ip netns delete lack 2>/dev/null
}

# sshd_keys: make a key for the user who connects to the machines, and a host key that all machines share
sshd_keys() {
	mkdir -p "$sshd_dir" && chmod 755 "$tmp" && chmod 700 "$sshd_dir"
	for keys_name in user host; do
		ssh-keygen -q -t ed25519 -N '' -C "$keys_name" -f "$sshd_dir/$keys_name" || bail "ssh-keygen"
	done
	: >"$sshd_dir/known"
	: >"$sshd_dir/nobody.pub"
}

# sshd_host NAME KEYS: start a machine that accepts the keys in $sshd_dir/KEYS.pub; write its address to $sshd_dir/NAME.address
sshd_host() {
	sshd_hosts=$((sshd_hosts + 1))
	host_net=10.99.$sshd_hosts
	ip netns add "$1" && ip link add "v$sshd_hosts" type veth peer name eth0 netns "$1" &&
		ip address add "$host_net.1/30" dev "v$sshd_hosts" && ip link set "v$sshd_hosts" up &&
		ip -n "$1" address add "$host_net.2/30" dev eth0 && ip -n "$1" link set eth0 up && ip -n "$1" link set lo up ||
		bail "no network for $1"
	printf '%s\n' "$host_net.2" >"$sshd_dir/$1.address"
	printf '%s %s\n' "$host_net.2" "$(cut -d ' ' -f 1,2 "$sshd_dir/host.pub")" >>"$sshd_dir/known"
	cat >"$sshd_dir/$1.conf" <<END_CONF
ListenAddress $host_net.2
HostKey $sshd_dir/host
AuthorizedKeysFile $sshd_dir/$2.pub
PermitRootLogin prohibit-password
PasswordAuthentication no
KbdInteractiveAuthentication no
StrictModes no
UsePAM no
UseDNS no
Subsystem sftp internal-sftp
PidFile $sshd_dir/$1.pid
SetEnv PATH=$PATH FLEET_TOP=$FLEET_TOP FLEET_NODES=$FLEET_NODES TMPDIR=$tmp XDG_CACHE_HOME=${XDG_CACHE_HOME:-$HOME/.cache}
END_CONF
	# The machine's /run must outlive its sshd, because processes continue when sshd is killed.
	mkdir -p "$sshd_dir/$1.run"
	sshd_start "$1"
}

# sshd_start NAME: start the machine's sshd
sshd_start() {
	rm -f "$sshd_dir/$1.pid"
	ip netns exec "$1" unshare --uts --mount sh -c '
		mount --bind "$1.run" /run && mkdir -p /run/sshd && hostname "$2" && exec "$3" -D -e -f "$1.conf"' \
		sh "$sshd_dir/$1" "$1" "$(PATH=$PATH:/usr/sbin command -v sshd)" >>"$sshd_dir/$1.log" 2>&1 </dev/null &
	start_tries=300
	until [ -s "$sshd_dir/$1.pid" ]; do
		start_tries=$((start_tries - 1))
		[ "$start_tries" -gt 0 ] || bail "sshd of $1 does not begin: $(tail -n 3 "$sshd_dir/$1.log")"
		sleep 0.2
	done
}

# sshd_break NAME: kill the machine's sshd and its sessions; background processes on the machine continue
sshd_break() {
	break_pid=$(cat "$sshd_dir/$1.pid")
	break_sessions=$(pgrep -P "$break_pid" | paste -sd ' ' -)
	kill -KILL "$break_pid"
	[ -z "$break_sessions" ] || words "$break_sessions" kill -KILL
}
