import { runScenario } from '../support/shared-runs';
import { parseScenario } from '../../emulator/scenario/schema';
import type { ScenarioDocument } from '../../emulator/scenario/schema';
import type { Result } from '../../emulator/result/result';

const link = (a: string, b: string, rateGbps = 100): string =>
  `{ between: [${a}, ${b}], rateGbps: ${rateGbps}, delayNs: 1000 }`;

/** Hosts with a link to each of the switches. */
function planes(hosts: number, switches: number, more: string, rateGbps = 100): ScenarioDocument {
  const names = Array.from({ length: hosts }, (_, i) => `h${i + 1}`);
  const planes = Array.from({ length: switches }, (_, i) => `s${i + 1}`);
  const links = planes.flatMap((plane) => names.map((host) => link(host, plane, rateGbps)));
  const text =
    `name: planes\ntitle: hosts with several links\ntopology: { kind: custom, hosts: [${names.join()}], ` +
    `switches: [${planes.join()}], links: [${links.join()}] }\n${more}`;
  return parseScenario(text, 'planes.yaml');
}

const run = async (scenario: ScenarioDocument, workers = 1): Promise<Result> =>
  (await runScenario({ scenario, seed: 1, workers })).result;

/** Links out of a host that have carried more than acknowledgements. */
const busyLinks = ({ links }: Result, host: string): string[] =>
  links
    .filter(({ name, bytes }) => name.startsWith(`${host}:`) && bytes > 30_000)
    .map(({ name }) => name);

const flows = (count: number, bytes: number): string =>
  `flows: [${Array.from({ length: count }, () => `{ from: h1, to: h2, bytes: ${bytes}, startUs: 0 }`).join()}]`;

describe('hosts with several links', () => {
  it('send over all of them, and are as fast as all of them together', async () => {
    const result = await run(planes(2, 8, flows(8, 60_000)));
    expect(result.violations).toEqual([]);
    expect(busyLinks(result, 'h1')).toHaveLength(8);
    // Eight flows side by side take as long as one alone.
    for (const { slowdown } of result.flows) expect(slowdown).toBeLessThan(1.05);
  });

  it('begin at different links, so that single flows of many hosts spread', async () => {
    const each = [1, 2, 3, 4].map(
      (n) => `{ from: h${n}, to: h${n + 4}, bytes: 40000, startUs: 0 }`,
    );
    const result = await run(planes(8, 2, `flows: [${each.join()}]`));
    const used = [1, 2, 3, 4].flatMap((n) => busyLinks(result, `h${n}`));
    expect(used).toEqual(['h1:1->s1:1', 'h2:2->s2:2', 'h3:1->s1:3', 'h4:2->s2:4']);
  });

  it.each([
    ['hpcc', 1000],
    ['rocev2', 1024],
  ])('go on over another link when one fails: %s', async (framing, mss) => {
    const result = await run(
      planes(
        2,
        2,
        `${flows(2, 100_000)}\nparameters: { framing: ${framing}, mss: ${mss} }\n` +
          'events: [{ atUs: 150, between: [h1, s1], state: down }]\n' +
          'reaction: { controllerUs: 20 }\n',
        2,
      ),
    );
    expect(result.violations).toEqual([]);
    expect(result.flows.map(({ deliveredBytes }) => deliveredBytes)).toEqual([100_000, 100_000]);
    const [first, second] = result.links.filter(({ name }) => name.startsWith('h1:'));
    expect(first?.bytes).toBeLessThan(60_000);
    expect(second?.bytes).toBeGreaterThan(150_000);
  });

  it('go back to a link that has come back', async () => {
    const events =
      'events: [{ atUs: 100, between: [h1, s1], state: down }, { atUs: 1200, between: [h1, s1], state: up }]';
    const more = `${flows(1, 200_000)}\n${events}\nreaction: { controllerUs: 5 }`;
    const result = await run(planes(2, 2, more, 1));
    expect(result.violations).toEqual([]);
    for (const { bytes } of result.links.filter(({ name }) => name.startsWith('h1:'))) {
      expect(bytes).toBeGreaterThan(50_000);
    }
  });

  it('give the same result with several workers', async () => {
    const scenario = planes(4, 2, flows(2, 50_000));
    const [one, two] = [await run(scenario), await run(scenario, 2)];
    expect(two).toEqual(one);
  });

  it('may obey pauses at each link', async () => {
    const more = `${flows(2, 100_000)}\nbuffer: { bytes: 1000000, pfc: {} }`;
    expect((await run(planes(2, 2, more))).violations).toEqual([]);
  });
});

describe('hosts that are joined directly', () => {
  const ring = (flow: string): ScenarioDocument =>
    parseScenario(
      `name: ring\ntitle: a ring of hosts\nflows: [${flow}]\ntopology: { kind: custom, switches: [], ` +
        `hosts: [h1, h2, h3, h4], links: [${link('h1', 'h2', 200)}, ${link('h2', 'h3')}, ` +
        `${link('h3', 'h4')}, ${link('h4', 'h1')}] }`,
      'ring.yaml',
    );

  it('send to their neighbours', async () => {
    const result = await run(ring('{ from: h2, to: h1, bytes: 40000, startUs: 0 }'));
    expect(result.violations).toEqual([]);
    expect(result.bottleneck.link).toBe('h2:1->h1:1');
    expect(result.flows[0]?.slowdown).toBeCloseTo(1, 2);
  });

  it('do not forward', async () => {
    await expect(run(ring('{ from: h1, to: h3, bytes: 1, startUs: 0 }'))).rejects.toThrow(
      'flow 1: no path leads from h1 to h3, since hosts do not forward',
    );
  });
});
