#!/bin/sh
# recut, write back, build default
python3 /tmp/cut/cut.py >/tmp/log/cut.log 2>&1 || { tail -3 /tmp/log/cut.log; exit 1; }
cd /tmp/w && scripts/dev/series write-back /tmp/lxs >/dev/null || exit 1
scripts/dev/build-kernel --flavour default >/tmp/log/k.out 2>/tmp/log/k.log || { grep -rh 'error:\|warning:' /root/.cache/wakelat/kernel-default*.partial/build.log | head -30; tail -5 /tmp/log/k.log; exit 1; }
cat /tmp/log/k.out
grep -h 'warning:' "$(dirname "$(cat /tmp/log/k.out)")"/build.log | head
