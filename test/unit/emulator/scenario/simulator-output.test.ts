import { expandTopology } from '../../../../emulator/scenario/expand-topology';
import { scenarioSchema } from '../../../../emulator/scenario/schema';
import type { ScenarioInput } from '../../../../emulator/scenario/schema';
import {
  parseSimulatorFlows,
  parseSimulatorTopology,
} from '../../../../emulator/scenario/simulator-format';
import { simulatorFlows, simulatorTopology } from '../../../../emulator/scenario/simulator-output';
import type { Connection } from '../../../../emulator/workload/connection';

const topologyOf = (topology: ScenarioInput['topology']) =>
  expandTopology(scenarioSchema.parse({ name: 't', title: 't', topology }).topology);

const flow = (from: string, to: string, bytes: number, startUs: number): Connection => ({
  from,
  to,
  messages: [{ bytes, startUs, after: [], delayUs: 0 }],
});

describe('a topology in the format of the HPCC simulator', () => {
  const custom = topologyOf({
    kind: 'custom',
    switches: ['s7'],
    hosts: ['h0', 'h3'],
    links: [
      { between: ['h0', 's7'], rateGbps: 100, delayNs: 1000 },
      { between: ['s7', 'h3'], rateGbps: 0.0125, delayNs: 1.5, lossRate: 0.01 },
    ],
  });

  it('keeps the ids that are in names', () => {
    expect(simulatorTopology(custom)).toBe(
      '8 1 2\n7\n0 7 100000000000bps 1000ns 0\n7 3 12500000bps 1.5ns 0.01\n',
    );
  });

  it('refuses links whose directions differ, which it has no words for', () => {
    const [first, ...others] = custom.links;
    for (const back of [{ backRateGbps: 25 }, { backDelayNs: 5 }]) {
      const links = [{ ...first, ...back } as (typeof others)[number], ...others];
      expect(() => simulatorTopology({ ...custom, links })).toThrow(
        "link h0 - s7: the simulator's format has one rate and delay for both directions",
      );
    }
  });

  it('is what is read again', () => {
    const { topology: read } = parseSimulatorTopology({
      name: 't',
      text: simulatorTopology(custom),
    });
    expect(expandTopology(read)).toEqual(custom);
  });

  it('counts hosts and then switches where names have no ids, in the same order of ports', () => {
    const fabric = topologyOf({ kind: 'fat-tree', k: 2, rateGbps: 100, delayNs: 1 });
    const read = expandTopology(
      parseSimulatorTopology({ name: 't', text: simulatorTopology(fabric) }).topology,
    );
    expect(read.hosts).toEqual(['h0', 'h1']);
    expect(read.switches).toEqual(['s2', 's3', 's4', 's5', 's6']);
    const idOf = (name: string): number => [...fabric.hosts, ...fabric.switches].indexOf(name);
    expect(read.links.map(({ a, b }) => [Number(a.slice(1)), Number(b.slice(1))])).toEqual(
      fabric.links.map(({ a, b }) => [idOf(a), idOf(b)]),
    );
  });
});

describe('flows in the format of the HPCC simulator', () => {
  const star = topologyOf({ kind: 'star', hosts: 3, rateGbps: 100, delayNs: 1 });
  const topology = { name: 't', text: simulatorTopology(star) };

  it('are sorted by their starts, which keep every picosecond', () => {
    const text = simulatorFlows(
      [flow('h2', 'h1', 5000, 1_000_000.000001), flow('h3', 'h2', 70, 0.5)],
      star,
    );
    expect(text).toBe('2\n2 1 3 100 70 2.000000500000\n1 0 3 100 5000 3.000000000001\n');
    const read = parseSimulatorTopology(topology);
    const { flows } = parseSimulatorFlows({ name: 'f', text }, read.topology);
    expect(flows.map(({ from, to, bytes }) => [from, to, bytes])).toEqual([
      ['h2', 'h1', 70],
      ['h1', 'h0', 5000],
    ]);
  });

  it('cannot wait for others', () => {
    const waiting: Connection = {
      ...flow('h1', 'h2', 1, 0),
      messages: [{ bytes: 1, startUs: 0, after: [{ connection: 0, message: 0 }], delayUs: 0 }],
    };
    expect(() => simulatorFlows([waiting], star)).toThrow(
      'h1 to h2: a flow file cannot say that messages wait for others',
    );
  });
});
