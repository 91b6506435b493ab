#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat audit reads the output of each version of dtc. For a source, dtc up to 1.6 prints references as numbers, dtc from 1.7
# on as labels and paths.
# needs: nothing
. "$(dirname "$0")/../../../../tests/lib/tap.sh"

cd "$tmp" || exit 1

# printed SED: print audit's rows of a tree as dtc prints it. SED replaces the references LIGHT, DEEP and DOMAIN.
printed() {
	sed "$1" >printed.dts <<'END'
/dts-v1/;

/ {

	idle-states {

		light: cpu-light@1,0 {
			compatible = "arm,idle-state";
			entry-latency-us = <0x01>;
			exit-latency-us = <0x02>;
			min-residency-us = <0x0a>;
			phandle = <0x01>;
		};

		deep: also: cpu-deep {
			compatible = "arm,idle-state";
			entry-latency-us = <0x64>;
			exit-latency-us = <0x0a>;
			min-residency-us = <0x03e8>;
			phandle = <0x02>;
		};
	};

	domain: power {
		domain-idle-states = <DEEP>;
		phandle = <0x03>;
	};

	cpus {

		cpu@0 {
			device_type = "cpu";
			cpu-idle-states = <LIGHT DEEP>;
			power-domains = <DOMAIN>;
		};

		cpu@1 {
			device_type = "cpu";
			cpu-idle-states = <LIGHT>, <DEEP>;
		};
	};
};
END
	awk -v origin=board -f "$top/extras/audit/devicetree.awk" printed.dts
}

printed 's/LIGHT/0x01/; s/DEEP/0x02/; s/DOMAIN/0x03/' >numbers
is "$(cut -f 4-8 numbers | tr '\t' ' ')" "/power 1 cpu-deep 110 1000
/cpus/cpu@1 1 cpu-light@1,0 3 10
/cpus/cpu@1 2 cpu-deep 110 1000" "references as numbers: each list has its states"
for also in deep also; do
	printed "s/LIGHT/\\&light/; s/DEEP/\\&$also/; s/DOMAIN/\\&domain/" >labels
	same labels numbers "references as labels, label $also: the rows are the same"
done
printed 's|LIGHT|\&{/idle-states/cpu-light@1,0}|; s|DEEP|\&{/idle-states/cpu-deep}|; s|DOMAIN|\&{/power}|' >paths
same paths numbers "references as paths: the rows are the same"
done_testing
