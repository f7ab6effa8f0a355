import { EmbeddedTarget } from '../../../switch/stf/embedded/embedded-target';
import type { ExecutorFactory } from '../../../switch/executor/executor';
import type { PortPacket, StfRequest } from '../../../switch/stf/run/requests';

/** A program's executor, its set-up, and the packets to send. */
export interface Load {
  readonly executor: ExecutorFactory;
  readonly requests: readonly StfRequest[];
  readonly packets: readonly PortPacket[];
}

/** Sends packets through an embedded switch; returns the packets that leave for each. */
export function throughEmbedded(
  json: string,
  { executor, requests, packets }: Load,
): PortPacket[][] {
  const target = new EmbeddedTarget(json, executor);
  for (const request of requests) {
    const reply = target.perform(request);
    if (reply.kind !== 'done') throw new Error(`the embedded switch: ${JSON.stringify(reply)}`);
  }
  let before = 0;
  return packets.map((packet) => {
    target.perform({ kind: 'send', packet });
    const reply = target.perform({ kind: 'collect' });
    if (reply.kind !== 'packets') throw new Error(`wanted packets, found ${reply.kind}`);
    const outs = reply.packets.slice(before);
    before = reply.packets.length;
    return outs;
  });
}
