import type { Packet } from '../../../../common/packet/packet';
import type { Agent } from '../../../../host-agent/host/agent';
import { NicAgents, PEER_FLOWS_MAX } from '../../../../host-agent/nics/nic-agents';

const PEER = 0x0a00_0002;

/** A frame of the peer's flow `id`, as the reader below reads it. */
const frameOf = (id: number): Packet => ({ bytes: new Uint8Array(60), length: 60, id });

test('of very many flows of peers, those are forgotten of which nothing has come for longest', () => {
  const [first, second] = [{}, {}].map((agent) => ({ agent: agent as Agent }));
  const nics = [first, second].filter((nic) => nic !== undefined);
  const agents = new NicAgents({
    number: 0,
    nics,
    ownerOf: ({ id = 0 }) => ({ flow: id, isOwn: false, source: PEER }),
    routes: { towards: () => [0, 1], macTowards: () => undefined },
  });
  const [here, there] = nics;
  if (here === undefined || there === undefined) throw new Error('there are two');
  agents.agentOf(frameOf(1), here);
  agents.agentOf(frameOf(2), here);
  for (let id = 3; id <= PEER_FLOWS_MAX; id++) agents.agentOf(frameOf(id), here);
  // Flow 1 is heard of again before one more comes, for which flow 2 gives way.
  expect(agents.agentOf(frameOf(1), there)).toBe(here.agent);
  agents.agentOf(frameOf(PEER_FLOWS_MAX + 1), here);
  expect(agents.agentOf(frameOf(1), there)).toBe(here.agent);
  expect(agents.agentOf(frameOf(2), there)).toBe(there.agent);
});
