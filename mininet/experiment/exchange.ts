import type { ExchangeDocument, FlowDocument, HpccFlowDocument } from './experiment';

/**
 * Rounds in which each sender has one receiver, and the next one in the next round: after as many
 * rounds as there are receivers, each sender has sent to each of them, and no receiver ever had two.
 * @returns flows `NAME-FROM-TO`, round by round.
 */
export function exchangedFlows(document: ExchangeDocument): readonly HpccFlowDocument[] {
  const { name, senders, receivers, start, every, seconds, cases, options } = document;
  return receivers.flatMap((_, round) =>
    senders.map((from, i): HpccFlowDocument => {
      const to = receivers[(i + round) % receivers.length] ?? from;
      return {
        kind: 'hpcc',
        name: `${name}-${from}-${to}`,
        from,
        to,
        options,
        bothOptions: [],
        start: start + round * every,
        seconds,
        together: false,
        ...(cases && { cases }),
      };
    }),
  );
}

/** Flows with those that an exchange stands for. */
export const withExchanges = (
  flows: readonly (FlowDocument | ExchangeDocument)[],
): readonly FlowDocument[] =>
  flows.flatMap((flow): readonly FlowDocument[] =>
    flow.kind === 'exchange' ? exchangedFlows(flow) : [flow],
  );

/** Fault of an exchange; undefined if there is none. */
export function exchangeFault({ senders, receivers, every, seconds }: ExchangeDocument) {
  const hosts = [...senders, ...receivers];
  const twice = hosts.find((host, i) => hosts.indexOf(host) < i);
  if (twice !== undefined) return `'${twice}' is there twice; a host sends or receives`;
  if (receivers.length < senders.length) return 'wanted at least as many receivers as senders';
  if (every <= seconds) return `wanted rounds every more than ${seconds} s, found ${every}`;
  return undefined;
}
