# SPDX-License-Identifier: GPL-2.0
# fleet-options.sh - the options of fleet submit, measure and status: what they may be.
# shellcheck shell=sh
#
# Needs message.sh, units.sh.

fleet_dir=
fleet_again=no
fleet_tries=2
fleet_name=
fleet_clock=
fleet_partition=
fleet_nodes=
fleet_time_s=3600
fleet_wait_s=86400
fleet_slurm=
fleet_wakelat=
status_tsv=no
options_break='
'
# For the verbs.
: "$fleet_dir" "$fleet_again" "$fleet_tries" "$fleet_name" "$fleet_clock" "$fleet_partition" "$fleet_nodes" "$fleet_time_s" "$fleet_wait_s" \
	"$fleet_slurm" "$fleet_wakelat" "$status_tsv"

# name_like TEXT: what a shell, a table and a file name take as it is
name_like() {
	case $1 in
	'' | [!A-Za-z0-9]* | *[!A-Za-z0-9._-]*) return 1 ;;
	esac
}

# take_fleet_option NAME [VALUE]
take_fleet_option() {
	case $1 in
	--again) fleet_again=yes ;;
	--tsv) status_tsv=yes ;;
	--retries)
		is_number "$2" && [ "${#2}" -le 2 ] || bad_usage "--retries: '$2' is not a number of 0 to 99"
		fleet_tries=$(($(without_zeros "$2") + 1))
		;;
	--name)
		name_like "$2" || bad_usage "--name: '$2': letters, digits, dots, - and _ only"
		fleet_name=$2
		;;
	--clock)
		is_number "$2" || bad_usage "--clock: '$2' is not a time in s since 1970 (date +%s)"
		fleet_clock=$(without_zeros "$2")
		;;
	--partition)
		name_like "$2" || bad_usage "--partition: '$2' is not the name of a partition"
		fleet_partition=$2
		;;
	--nodes)
		case $2 in
		-* | *[!][A-Za-z0-9.,_-]*) bad_usage "--nodes: '$2' is not a list such as n[1-16],n20" ;;
		esac
		fleet_nodes=$2
		;;
	--time)
		fleet_time_s=$(duration_s "$2") && [ "$fleet_time_s" -ge 1 ] ||
			bad_usage "--time: '$2' is not a whole number of s, m, h or d"
		;;
	--wait)
		fleet_wait_s=$(duration_s "$2") || bad_usage "--wait: '$2' is not a whole number of s, m, h or d (0s: for ever)"
		;;
	--slurm)
		case $2 in
		*"$options_break"*) bad_usage "--slurm: a line break in '$2'" ;;
		-*) ;;
		*) bad_usage "--slurm: '$2' is not an option of sbatch, such as --account=NAME" ;;
		esac
		fleet_slurm=$fleet_slurm$2$options_break
		;;
	--wakelat)
		case $2 in
		*"$options_break"*) bad_usage "--wakelat: a line break in '$2'" ;;
		/*) ;;
		*) bad_usage "--wakelat: '$2' is not the whole path of wakelat on the nodes" ;;
		esac
		fleet_wakelat=$2
		;;
	esac
}
