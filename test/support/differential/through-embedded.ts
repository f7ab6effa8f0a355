import { EmbeddedTarget } from '../../../switch/stf/embedded/embedded-target';
import type { ExecutorFactory } from '../../../switch/executor/executor';
import type { PortPacket, StfRequest } from '../../../switch/stf/run/requests';

/** What runs a program, what sets it up, and what is sent through it. */
export interface Load {
  readonly executor: ExecutorFactory;
  readonly requests: readonly StfRequest[];
  readonly packets: readonly PortPacket[];
}

/** What leaves an embedded switch for each packet. */
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
