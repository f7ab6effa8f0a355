#ifndef HPCC_PINT_LOAD_DIGEST_P4
#define HPCC_PINT_LOAD_DIGEST_P4

#include "packet.p4"
#include "../../headers.p4"
#include "../../one_complement.p4"

/*
 * The load as a logarithm, 14 codes per octave from code 1 for 2^-8, and the largest one of the
 * path in the packet. What lies between two codes is rounded by a hash of the packet, which all
 * switches share, so that the mean is right (PINT, sections 4.1 and 4.3).
 */
control load_digest(inout headers_t hdr, in metadata_t meta) {
    bit<24> load;
    bit<6>  mantissa;
    bit<16> code;
    bit<16> sixteenths;
    bit<16> chance;

    action octave(bit<16> first_code, bit<8> shift) {
        bit<24> normalised = load << shift;
        code = first_code;
        mantissa = normalised[22:17];
    }

    action below_all() {
        code = 1;
        mantissa = 0;
    }

    table exponent {
        key = { load : ternary @name("load"); }
        actions = { octave; below_all; }
        const default_action = below_all;
        const entries = {
            0x800000 &&& 0x800000 : octave(155, 0);
            0x400000 &&& 0xC00000 : octave(141, 1);
            0x200000 &&& 0xE00000 : octave(127, 2);
            0x100000 &&& 0xF00000 : octave(113, 3);
            0x080000 &&& 0xF80000 : octave(99, 4);
            0x040000 &&& 0xFC0000 : octave(85, 5);
            0x020000 &&& 0xFE0000 : octave(71, 6);
            0x010000 &&& 0xFF0000 : octave(57, 7);
            0x008000 &&& 0xFF8000 : octave(43, 8);
            0x004000 &&& 0xFFC000 : octave(29, 9);
            0x002000 &&& 0xFFE000 : octave(15, 10);
            0x001000 &&& 0xFFF000 : octave(1, 11);
        }
        size = 16;
    }

    /* 14 log2 of the mantissa, in sixteenths. */
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
        if (hdr.shim.isValid() && hdr.shim.version == PATH_SHIM_VERSION &&
            hdr.shim.wants_digest == 1 && meta.pint.load != 0) {
            load = meta.pint.load[23:0];
            sixteenths = 0;
            exponent.apply();
            logarithm.apply();
            hash(chance, HashAlgorithm.crc16, 16w0,
                 { hdr.ipv4.src_addr, hdr.ipv4.identification, hdr.ipv6.flow_label,
                   hdr.udp.src_port, hdr.shim.sent_at_ns },
                 32w65536);
            code = code + ((sixteenths + (chance & 15)) >> 4);
            if (code > (bit<16>)hdr.shim.digest) {
                hdr.udp.checksum = udp_checksum_plus(hdr.udp.checksum,
                    0xFFFF + (bit<32>)code - (bit<32>)hdr.shim.digest);
                hdr.shim.digest = code[7:0];
            }
        }
    }
}  /* load_digest */

#endif  /* HPCC_PINT_LOAD_DIGEST_P4 */
