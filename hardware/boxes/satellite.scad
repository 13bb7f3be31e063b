// The satellite's box. `part`: "base" or "lid".

include <shell.scad>

part = "lid";

module sound_holes() {
    at([buzzer]) for (turn = [0 : 60 : 300])
        translate([4.5 * cos(turn), 4.5 * sin(turn), satellite_top - 10]) cylinder(d = 2.2, h = 20);
    at([buzzer]) translate([0, 0, satellite_top - 10]) cylinder(d = 2.2, h = 20);
}

// Warm air of the regulator leaves through slots over it.
module slots() {
    for (number = [0 : vent_slots - 1])
        translate([satellite_vent[0] + number * 5, satellite_vent[1], satellite_top - 10]) cube([2, vent_length, 20]);
}

// Over the LED that says that there is power.
module window() {
    at([power_led]) translate([0, 0, satellite_top - 10]) cylinder(d = led_window, h = 20);
}

// One dot for pad 0, five for pad 4, beside the plug.
module dots() {
    for (number = [0 : len(satellite_plugs) - 1], dot = [0 : number]) {
        plug = satellite_plugs[number];
        inwards = plug[1] == 0 ? 8 : -8;
        translate([plug[0] + (dot - number / 2) * 4, plug[1] + inwards, satellite_top - groove])
            cylinder(d = 2.4, h = 2);
    }
}

if (part == "base")
    printed_base() base(satellite_outline, satellite_holes, -board_thickness, satellite_split, satellite_openings);
else printed_lid(satellite_top)
    lid(satellite_outline, satellite_holes, satellite_split, satellite_top, satellite_openings) {
        sound_holes();
        slots();
        window();
        dots();
    }
