import type { Packet } from '../../common/packet/packet';
import { readUint16, readUint32 } from '../../common/wire/bytes';

/** Facts of a frame of our transport as it left its host, for tests. */
export interface SeenFrame {
  readonly type: number;
  readonly flags: number;
  readonly length: number;
  readonly sequence: number;
  readonly sourcePort: number;
  readonly hasInt: boolean;
  readonly bodyAt: number;
}

/** Ethernet, IPv4 and UDP; INT shim and header if the DSCP says so; the transport header. */
export function seenFrame({ bytes }: Packet): SeenFrame {
  const hasInt = bytes[15] !== 0;
  const at = hasInt ? 58 : 42;
  return {
    type: (bytes[at] as number) & 0xf,
    flags: bytes[at + 1] as number,
    length: readUint16(bytes, at + 4),
    sequence: readUint32(bytes, at + 12),
    sourcePort: readUint16(bytes, 34),
    hasInt,
    bodyAt: at + 16,
  };
}
