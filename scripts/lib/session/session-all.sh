# SPDX-License-Identifier: GPL-2.0
# session-all.sh - source all files of a session, and the files of common/ that they need.
# shellcheck shell=sh

# Variables that other files set:
: "${here?the command}"

# shellcheck source=scripts/lib/common/message.sh
. "$here/lib/common/message.sh"
# shellcheck source=scripts/lib/common/options.sh
. "$here/lib/common/options.sh"
# shellcheck source=scripts/lib/common/units.sh
. "$here/lib/common/units.sh"
# shellcheck source=scripts/lib/common/cpulist.sh
. "$here/lib/common/cpulist.sh"
# shellcheck source=scripts/lib/common/sysfs.sh
. "$here/lib/common/sysfs.sh"
# shellcheck source=scripts/lib/common/journal.sh
. "$here/lib/common/journal.sh"
# shellcheck source=scripts/lib/common/cpuidle.sh
. "$here/lib/common/cpuidle.sh"
# shellcheck source=scripts/lib/common/tracefs.sh
. "$here/lib/common/tracefs.sh"
# shellcheck source=scripts/lib/common/revision.sh
. "$here/lib/common/revision.sh"
# shellcheck source=scripts/lib/common/put-file.sh
. "$here/lib/common/put-file.sh"
# shellcheck source=scripts/lib/common/runtsv.sh
. "$here/lib/common/runtsv.sh"
# shellcheck source=scripts/lib/session/session-options.sh
. "$here/lib/session/session-options.sh"
# shellcheck source=scripts/lib/session/output.sh
. "$here/lib/session/output.sh"
# shellcheck source=scripts/lib/session/session.sh
. "$here/lib/session/session.sh"
