import { FairRates } from '../../../../emulator/coordination/fair-rates';
import { OpenFlows } from '../../../../emulator/coordination/open-flows';
import { planNetwork } from '../../../../emulator/network/plan';
import { expandTopology } from '../../../../emulator/scenario/expand-topology';
import { scenarioSchema } from '../../../../emulator/scenario/schema';

const RATE = 100e9;

/** Two flows into one link, planned for 0 and 50. */
function newFlows(): OpenFlows {
  const { topology, parameters } = scenarioSchema.parse({
    name: 'star',
    title: 'Star',
    topology: { kind: 'star', hosts: 3, rateGbps: 100, delayNs: 1000 },
    flows: [{ from: 'h1', to: 'h3', bytes: 1, startUs: 0 }],
  });
  const { links } = planNetwork(expandTopology(topology), {
    clockUnitNs: 1,
    queueDepthUnitBytes: parameters.queueUnitBytes,
    txUnitBytes: parameters.txUnitBytes,
  });
  const rates = new FairRates(links, ['h1', 'h2', 'h3']);
  const flows = [
    { source: 'h1', destination: 'h3', startsAt: 0 },
    { source: 'h2', destination: 'h3', startsAt: 50 },
  ];
  return new OpenFlows(flows, rates);
}

describe('open flows', () => {
  it('share with those that may have begun, and with themselves', () => {
    const flows = newFlows();
    expect(flows.fairRate(1, 49)).toBe(RATE);
    expect(flows.fairRate(2, 49)).toBe(RATE / 2);
    expect(flows.fairRate(1, 50)).toBe(RATE / 2);
  });

  it('begin when they are said to, and end behind the instant at which all has arrived', () => {
    const flows = newFlows();
    flows.began(70, 2);
    expect(flows.fairRate(1, 60)).toBe(RATE);
    expect(flows.fairRate(1, 70)).toBe(RATE / 2);
    expect(flows.isOver(2)).toBe(false);
    flows.completed(90, 2);
    expect(flows.isOver(2)).toBe(true);
    expect(flows.fairRate(1, 90)).toBe(RATE / 2);
    expect(flows.fairRate(1, 91)).toBe(RATE);
  });
});
