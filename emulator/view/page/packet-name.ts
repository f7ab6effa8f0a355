import type { TracedPacket } from '../../result/packet-story';

/** Ends of a packet's way, with ports where hosts have several: `h1:2 to h3`. */
export function packetEnds({ from, fromPort, to, toPort }: TracedPacket): string {
  const end = (host: string, port: number | undefined): string =>
    port === undefined ? host : `${host}:${port}`;
  return `${end(from, fromPort)} to ${end(to, toPort)}`;
}

/** Name of a packet as people tell packets apart: by its flow and bytes. */
export function packetName({ purpose, flow, sequence, id }: TracedPacket): string {
  const of = flow === null ? ` ${id}` : ` of flow ${flow}`;
  if (sequence === null) return `${purpose}${of}`;
  const byte = sequence.toLocaleString('en-GB');
  if (purpose === 'data') return `data${of}, from byte ${byte}`;
  if (purpose === 'acknowledgement') return `acknowledgement${of}, up to byte ${byte}`;
  return `${purpose}${of}`;
}
