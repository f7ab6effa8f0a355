import type { TracedPacket } from '../../result/packet-story';

/** Name of a packet as people tell packets apart: by its flow and bytes. */
export function packetName({ purpose, flow, sequence, id }: TracedPacket): string {
  const of = flow === null ? ` ${id}` : ` of flow ${flow}`;
  if (sequence === null) return `${purpose}${of}`;
  const byte = sequence.toLocaleString('en-GB');
  if (purpose === 'data') return `data${of}, from byte ${byte}`;
  if (purpose === 'acknowledgement') return `acknowledgement${of}, up to byte ${byte}`;
  return `${purpose}${of}`;
}
