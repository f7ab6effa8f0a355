import type { StfReply } from '../../../switch/stf/run/requests';

/** A reply with each of its packets as `mask` makes it, which may write into what it gets. */
export function maskedReply(reply: StfReply, mask: (packet: Buffer) => Uint8Array): StfReply {
  if (reply.kind !== 'packets') return reply;
  return {
    ...reply,
    packets: reply.packets.map((each) => ({ ...each, bytes: mask(Buffer.from(each.bytes)) })),
  };
}

/** RFC 1624: has a checksum of TCP or UDP know that words with the sum `before` have another one. */
export function changeChecksum(
  packet: Buffer,
  checksum: number,
  { before, after }: { readonly before: number; readonly after: number },
): void {
  // A multiple of 0xffff that is no less than the sum changes nothing.
  let total = (~packet.readUInt16BE(checksum) & 0xffff) + 0xffff * 16 - before + after;
  while (total > 0xffff) total = (total & 0xffff) + (total >>> 16);
  packet.writeUInt16BE(~total & 0xffff || 0xffff, checksum);
}
