import { expandTopology } from '../../../../emulator/scenario/expand-topology';
import { planNetwork } from '../../../../emulator/network/plan';
import { Paths } from '../../../../emulator/network/paths';
import { parseScenario } from '../../../../emulator/scenario/schema';
import { partition } from '../../../../emulator/workers/partition';
import type { Connection } from '../../../../emulator/workload/connection';

const FABRIC = `{ kind: leaf-spine, leaves: 2, spines: 2, hostsPerLeaf: 2, rateGbps: 100, delayNs: 1000, fabricRateGbps: 400 }`;

const message = (connection?: number) => ({
  bytes: 1000,
  startUs: 0,
  after: connection === undefined ? [] : [{ connection, message: 0 }],
  delayUs: 0,
});

function divide(connections: readonly Connection[], workers: number, topology = FABRIC) {
  const text = `name: a\ntitle: a\ntopology: ${topology}\nflows: [{ from: h1, to: h2, bytes: 1, startUs: 0 }]\n`;
  const scenario = parseScenario(text, 'a.yaml');
  const units = { clockUnitNs: 1, queueDepthUnitBytes: 1, txUnitBytes: 1 };
  const plan = planNetwork(expandTopology(scenario.topology), units);
  const paths = new Paths(plan);
  const nodesBetween = (from: string, to: string) => paths.nodesBetween(from, to);
  return partition({ plan, connections, nodesBetween, isStartedByReceiver: false }, workers);
}

const flow = (from: string, to: string, after?: number): Connection => ({
  from,
  to,
  messages: [message(after)],
});

describe('the division of a network among workers', () => {
  it('leaves hosts with their switch and spreads the packets', () => {
    const owners = divide([flow('h1', 'h2'), flow('h3', 'h4')], 2);
    expect(owners.get('h1')).toBe(owners.get('leaf1'));
    expect(owners.get('h4')).toBe(owners.get('leaf2'));
    expect(owners.get('leaf1')).not.toBe(owners.get('leaf2'));
  });

  it('divides hosts too where there are more workers than switches', () => {
    const owners = divide([flow('h1', 'h3')], 8);
    expect(new Set(owners.values()).size).toBe(8);
  });

  it('keeps a host that waits for what another one gets together with it', () => {
    const owners = divide([flow('h1', 'h3'), flow('h2', 'h1', 0)], 7);
    expect(owners.get('h2')).toBe(owners.get('h3'));
  });

  it('refuses more workers than there are nodes', () => {
    expect(() => divide([flow('h1', 'h3')], 9)).toThrow(
      '9 workers are too many: the network can be divided into at most 8 parts',
    );
    expect(() => divide([flow('h1', 'h3'), flow('h2', 'h1', 0)], 8)).toThrow('at most 7 parts');
  });
});
