#ifndef LOAD_DIGEST_P4
#define LOAD_DIGEST_P4

#include "mantissa_logarithm.p4"
#include "hpcc_pint_headers.p4"
#include "common/headers.p4"
#include "v1model/blocks/ones_complement.p4"

/*
 * The load as a logarithm, 14 codes per octave from code 1 for 2^-8, and the largest one of the
 * path in the packet. What lies between two codes is rounded by a hash of the packet, which all
 * switches share, so that the mean is right (PINT, sections 4.1 and 4.3).
 */
control load_digest(inout headers_t hdr, in metadata_t meta) {
    mantissa_logarithm() logarithm;
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

    apply {
        if (hdr.shim.isValid() && hdr.shim.version == PATH_SHIM_VERSION &&
            hdr.shim.wants_digest == 1 && meta.pint.load != 0) {
            load = meta.pint.load[23:0];
            exponent.apply();
            logarithm.apply(mantissa, sixteenths);
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

#endif  /* LOAD_DIGEST_P4 */
