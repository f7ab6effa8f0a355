import { figuresOf } from '../../../../mininet/figures/figures';
import { pathTable } from '../../../../mininet/figures/int-figures';
import { collectedOf, totalsLineSchema } from '../../../../mininet/observation/collected';
import type { CollectedFlow } from '../../../../mininet/observation/collected';
import { toldPaths } from '../../../../mininet/observation/told-paths';
import type { Observation } from '../../../../mininet/observation/observation';
import { preparedCases, tcp } from '../../../support/mininet-fixture';

const [PREPARED] = preparedCases('int');
const US = 1000;

type Hop = CollectedFlow['path'][number];

const hop = (nodeId: number, ingressPort: number, egressPort: number, us = 5): Hop => ({
  nodeId,
  ingressPort,
  egressPort,
  latencyNs: { count: 1, mean: us * US, max: us * US },
  queueBytes: null,
});

const flow = (name: string, path: readonly Hop[]): CollectedFlow => ({
  flow: name,
  reports: 1,
  otherHops: 0,
  path: [...path],
});

const FORTH = flow('10.0.0.1:7 -> 10.0.0.2:5201 tcp', [hop(1, 1, 2), hop(2, 1, 3), hop(3, 1, 2)]);
const BACK = flow('10.0.0.2:5201 -> 10.0.0.1:7 tcp', [hop(3, 2, 1), hop(2, 3, 1), hop(1, 2, 1)]);

/** A run of one flow from h1 to h2, whose longest round trip was 100 us. */
function observed(flows: readonly CollectedFlow[]): Observation {
  if (PREPARED === undefined) throw new Error('int has no case');
  const { own, network, plan } = PREPARED;
  const base = tcp();
  const [first] = base.flows;
  if (first === undefined) throw new Error('the record has no flow');
  const document = { ...own.document, flows: own.document.flows.slice(0, 1) };
  const sender = { ...first.sender, name: 'long', flow: { ...first.sender.flow, to: 'h2' } };
  return {
    ...base,
    own: { ...own, document },
    network,
    plan,
    flows: [{ ...first, sender, connection: { port: 7, longestRttNs: 100 * US } }],
    collected: {
      flows,
      datagrams: { datagrams: 9, faults: 1, lost: 2, kernelDropped: 0 },
    },
  };
}

const faultsOf = (...flows: readonly CollectedFlow[]): (string | undefined)[] =>
  (toldPaths(observed(flows)) ?? []).map(({ fault }) => fault);

test('paths that lead from link to link between the hosts of a flow are right', () => {
  const observation = observed([FORTH, BACK]);
  expect(toldPaths(observation)).toMatchObject([
    { flow: 'h1:7 -> h2:5201 tcp', hops: [{ node: 's1' }, { node: 's2' }, { node: 's3' }] },
    { flow: 'h2:5201 -> h1:7 tcp', implausibleHops: 0 },
  ]);
  expect(faultsOf(FORTH, BACK)).toEqual([undefined, undefined]);
  expect(figuresOf(observation)).toMatchObject({
    telemetryReports: 9,
    reportGaps: 2,
    undecodedReports: 1,
    wrongPaths: 0,
    implausibleHops: 0,
  });
});

test.each([
  ['a switch that is left out', [hop(1, 1, 2), hop(3, 1, 2)], 's3:1 where s2:1 is next'],
  ['a wrong ingress port', [hop(1, 3, 2), hop(2, 1, 3), hop(3, 1, 2)], 's1:3 where s1:1 is next'],
  ['another egress port', [hop(1, 1, 2), hop(2, 1, 2), hop(3, 1, 2)], 's3:1 where h3:0 is next'],
  ['a node of no network', [hop(1, 1, 2), hop(9, 1, 3)], 'node 9:1 where s2:1 is next'],
  ['an end before the host', [hop(1, 1, 2), hop(2, 1, 3)], 'it ends before s3, not h2'],
])('a path with %s is wrong', (_, path, fault) => {
  expect(faultsOf({ ...FORTH, path }, BACK)).toEqual([fault, undefined]);
});

test('a flow that no report tells of is wrong, in each direction, and so is one of strangers', () => {
  expect(faultsOf(BACK)).toEqual([undefined, 'no report']);
  expect(faultsOf()).toEqual(['no report', 'no report']);
  const stranger = { ...FORTH, flow: '10.9.9.9:7 -> 10.0.0.2:5201 tcp' };
  expect(faultsOf(FORTH, BACK, stranger)[2]).toBe('not between hosts of the network');
  expect(faultsOf({ ...FORTH, otherHops: 3 }, BACK)[0]).toMatch(/^3 hops beyond/);
});

test('a hop that takes longer than the whole round trip, or tells no latency, is implausible', () => {
  const slow = { ...FORTH, path: [hop(1, 1, 2, 151), hop(2, 1, 3, 150), hop(3, 1, 2)] };
  const silent = { ...BACK, path: BACK.path.map((each) => ({ ...each, latencyNs: null })) };
  expect(figuresOf(observed([slow, silent]))).toMatchObject({ implausibleHops: 4, wrongPaths: 0 });
  const other = { ...slow, flow: '10.0.0.1:8 -> 10.0.0.2:5201 tcp' };
  expect(figuresOf(observed([other, BACK]))).toMatchObject({ implausibleHops: 0 });
});

test('the table has a row for each hop, and says what is wrong or was not told', () => {
  const rows = pathTable(toldPaths(observed([FORTH])) ?? []);
  expect(rows.slice(1)).toEqual([
    ['h1:7 -> h2:5201 tcp', '1', '1>s1>2', '5.000 us', '5.000 us', 'not told', 'not told', 'right'],
    ['', '', '1>s2>3', '5.000 us', '5.000 us', 'not told', 'not told', ''],
    ['', '', '1>s3>2', '5.000 us', '5.000 us', 'not told', 'not told', ''],
    ['long: h2 -> h1', '0', '', '', '', '', '', 'WRONG: no report'],
  ]);
});

test('without a collector there are no such figures, and a collector that was killed has none', () => {
  const { collected: _, ...rest } = observed([]);
  const without = { ...rest, collected: undefined };
  expect(toldPaths(without)).toBeUndefined();
  expect(figuresOf(without)).toMatchObject({ wrongPaths: null, reportGaps: null });
  const killed = { ...rest, collected: collectedOf([]) };
  expect(figuresOf(killed)).toMatchObject({ wrongPaths: 2, reportGaps: null });
});

test('lines of a collector are read by what they have', () => {
  const lines = [
    { link: { nodeId: 1, egressPort: 2 }, hops: 3 },
    FORTH,
    { dropReason: 29, reports: 1 },
    { datagrams: 3, faults: 0, lost: 0, late: 0, untold: 0, kernelDropped: null },
  ].map((line) => totalsLineSchema.parse(line));
  expect(collectedOf(lines)).toEqual({
    flows: [FORTH],
    datagrams: { datagrams: 3, faults: 0, lost: 0, kernelDropped: null },
  });
});
