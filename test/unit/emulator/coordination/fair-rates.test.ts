import { FairRates } from '../../../../emulator/coordination/fair-rates';
import { planNetwork } from '../../../../emulator/network/plan';
import { expandTopology } from '../../../../emulator/scenario/expand-topology';

const UNITS = { clockUnitNs: 1, queueDepthUnitBytes: 32, txUnitBytes: 1 };

/** Hosts h1 to h4 and h5 to h8 at two leaves under spines; every link 100 Gb/s. */
function ratesOver(spines: number, ...pairs: readonly string[]): number[] {
  const plain = expandTopology({
    kind: 'leaf-spine',
    leaves: 2,
    spines,
    hostsPerLeaf: 4,
    rateGbps: 100,
    delayNs: 1000,
  });
  const fair = new FairRates(planNetwork(plain, UNITS).links, plain.hosts);
  const flows = pairs.map((pair) => {
    const [source = '', destination = ''] = pair.split('>');
    return { source, destination };
  });
  return fair.of(flows).map((rate) => Number((rate / 1e9).toFixed(6)));
}

describe('the fair rate', () => {
  it('of a flow alone is that of a link: it is not divided among paths', () => {
    expect(ratesOver(4, 'h1>h5')).toEqual([100]);
  });

  it('counts on paths that are free, wherever hashes lead', () => {
    expect(ratesOver(4, 'h1>h5', 'h2>h6', 'h3>h7', 'h4>h8')).toEqual([100, 100, 100, 100]);
  });

  it('divides what all paths together have', () => {
    expect(ratesOver(2, 'h1>h5', 'h2>h6', 'h3>h7', 'h4>h8')).toEqual([50, 50, 50, 50]);
  });

  it('of an incast is a part of the receiver’s link, and leaves the rest to others', () => {
    const rates = ratesOver(2, 'h1>h5', 'h2>h5', 'h3>h5', 'h6>h5', 'h4>h8');
    expect(rates).toEqual([25, 25, 25, 25, 100]);
  });

  it('gives to others what a flow cannot use', () => {
    // Two into h5, of which one shares the link of h1: a half each; the third takes the rest of h1's.
    expect(ratesOver(4, 'h1>h5', 'h2>h5', 'h3>h5', 'h1>h6')).toEqual([
      33.333333, 33.333333, 33.333333, 66.666667,
    ]);
  });

  it('within a leaf needs no spine, and directions do not share', () => {
    expect(ratesOver(1, 'h1>h2', 'h2>h1', 'h3>h5', 'h5>h3')).toEqual([100, 100, 100, 100]);
  });

  it('of nobody is nothing', () => {
    expect(ratesOver(1)).toEqual([]);
  });
});

test('flows of the same ends count as often as they are', () => {
  const link = (b: string, rate: number) => ({ a: { node: 's1' }, b: { node: b }, rate });
  const rates = new FairRates(
    [link('h1', 90), link('h2', 100), link('h3', 20)],
    ['h1', 'h2', 'h3'],
  );
  const flows = [
    { source: 'h2', destination: 'h1', count: 2 },
    { source: 'h3', destination: 'h1' },
  ];
  expect(rates.of(flows)).toEqual([35, 20]);
});
