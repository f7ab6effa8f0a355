import { WireFault } from '../../../common/wire/fault';
import { IPV6_OPTION_IOAM, IPV6_OPTION_IOAM_MUTABLE } from '../../../common/wire/ioam/ioam-option';
import { emitIoamOption, ioamOptionLength } from '../../../common/wire/ioam/ioam-option';
import { parseIoamOption } from '../../../common/wire/ioam/ioam-option';
import { emitIpv6Options, ipv6OptionsLength, parseIpv6Options } from '../../../common/wire/ip/ipv6';
import type { Ipv6OptionContent } from '../../../common/wire/ip/ipv6';
import type { AnyCodec } from './codecs';

const isIoam = (type: number): boolean =>
  type === IPV6_OPTION_IOAM || type === IPV6_OPTION_IOAM_MUTABLE;

/** A whole options header whose IOAM options are parsed and written too. */
export const ioamOptions: AnyCodec = {
  parse: parseIpv6Options,
  roundTrip(bytes, offset, end) {
    const header = parseIpv6Options(bytes, offset, end);
    if (header instanceof WireFault) return header;
    const options: Ipv6OptionContent[] = [];
    for (const { type, dataOffset, data } of header.options) {
      const written = isIoam(type) ? again(bytes, dataOffset, dataOffset + data.length) : data;
      if (written instanceof WireFault) return written;
      options.push({ type, data: written });
    }
    const out = new Uint8Array(ipv6OptionsLength({ options }));
    emitIpv6Options({ nextHeader: header.nextHeader, options }, out, 0);
    return out;
  },
};

function again(bytes: Uint8Array, offset: number, end: number): Uint8Array | WireFault {
  const option = parseIoamOption(bytes, offset, end);
  if (option instanceof WireFault) return option;
  const out = new Uint8Array(ioamOptionLength(option)).fill(0xa5);
  emitIoamOption(option, out, 0);
  return out;
}
