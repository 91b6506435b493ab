# SPDX-License-Identifier: GPL-2.0
# arm-cpu.awk - print the name of CPU `cpu` from /proc/cpuinfo of arm64: "Arm Cortex-A57 r1p0". Print
# nothing on another architecture.
#
# The part numbers are those of Arm in Linux, arch/arm64/include/asm/cputype.h. Other numbers are printed as they are.

BEGIN {
	FS = "[\t ]*: "
	n = split("d03 Cortex-A53 d04 Cortex-A35 d05 Cortex-A55 d07 Cortex-A57 d08 Cortex-A72 d09 Cortex-A73 d0a Cortex-A75 " \
		"d0b Cortex-A76 d0c Neoverse-N1 d0d Cortex-A77 d40 Neoverse-V1 d41 Cortex-A78 d44 Cortex-X1 d46 Cortex-A510 " \
		"d47 Cortex-A710 d48 Cortex-X2 d49 Neoverse-N2 d4d Cortex-A715 d4e Cortex-X3 d4f Neoverse-V2 d80 Cortex-A520 " \
		"d81 Cortex-A720 d82 Cortex-X4 d84 Neoverse-V3 d8e Neoverse-N3", list, " ")
	for (i = 1; i < n; i += 2)
		part["0x" list[i]] = list[i + 1]
}

$1 == "processor" { here = ($2 == cpu) }
here && /^CPU / { of[$1] = $2 }

END {
	if (!("CPU part" in of))
		exit
	name = of["CPU part"]
	if (of["CPU implementer"] != "0x41")
		name = "CPU of implementer " of["CPU implementer"] ", part " name
	else
		name = "Arm " (name in part ? part[name] : "part " name)
	variant = index("123456789abcdef", substr(of["CPU variant"], 3))
	print name " r" variant "p" of["CPU revision"]
}
