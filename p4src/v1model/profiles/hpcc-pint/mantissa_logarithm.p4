#ifndef MANTISSA_LOGARITHM_P4
#define MANTISSA_LOGARITHM_P4

/* 14 log2 of the mantissa, in sixteenths. */
control mantissa_logarithm(in bit<6> mantissa, out bit<16> sixteenths) {
    action fraction(bit<16> value) {
        sixteenths = value;
    }

    table logarithm {
        key = { mantissa : exact @name("mantissa"); }
        actions = { fraction; }
        const default_action = fraction(0);
        const entries = {
            0 : fraction(3);
            1 : fraction(7);
            2 : fraction(12);
            3 : fraction(17);
            4 : fraction(22);
            5 : fraction(27);
            6 : fraction(31);
            7 : fraction(36);
            8 : fraction(40);
            9 : fraction(45);
            10 : fraction(49);
            11 : fraction(53);
            12 : fraction(58);
            13 : fraction(62);
            14 : fraction(66);
            15 : fraction(70);
            16 : fraction(74);
            17 : fraction(78);
            18 : fraction(82);
            19 : fraction(86);
            20 : fraction(90);
            21 : fraction(94);
            22 : fraction(97);
            23 : fraction(101);
            24 : fraction(105);
            25 : fraction(108);
            26 : fraction(112);
            27 : fraction(116);
            28 : fraction(119);
            29 : fraction(123);
            30 : fraction(126);
            31 : fraction(129);
            32 : fraction(133);
            33 : fraction(136);
            34 : fraction(139);
            35 : fraction(143);
            36 : fraction(146);
            37 : fraction(149);
            38 : fraction(152);
            39 : fraction(155);
            40 : fraction(158);
            41 : fraction(162);
            42 : fraction(165);
            43 : fraction(168);
            44 : fraction(171);
            45 : fraction(174);
            46 : fraction(176);
            47 : fraction(179);
            48 : fraction(182);
            49 : fraction(185);
            50 : fraction(188);
            51 : fraction(191);
            52 : fraction(194);
            53 : fraction(196);
            54 : fraction(199);
            55 : fraction(202);
            56 : fraction(204);
            57 : fraction(207);
            58 : fraction(210);
            59 : fraction(212);
            60 : fraction(215);
            61 : fraction(218);
            62 : fraction(220);
            63 : fraction(223);
        }
        size = 64;
    }

    apply {
        sixteenths = 0;
        logarithm.apply();
    }
}  /* mantissa_logarithm */

#endif  /* MANTISSA_LOGARITHM_P4 */
