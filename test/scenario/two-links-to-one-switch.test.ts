import { causeObserver } from '../../emulator/io/cause-observers';
import { runScenario } from '../support/shared-runs';
import { tracerOf } from '../../emulator/io/trace-file';
import { travel } from '../../emulator/io/travel';
import { PortCapture } from '../../emulator/record/port-capture';
import type { FlowCauses } from '../../emulator/result/flow-causes';
import { packetEnds } from '../../emulator/view/page/packet-name';
import { parseScenario } from '../../emulator/scenario/schema';
import type { ScenarioDocument } from '../../emulator/scenario/schema';
import { decodeCapture } from '../../common/telemetry/decode/decode-capture';

/** h1 and h2 have two links to s1, h3 has one. */
function twoLinks(more: string): ScenarioDocument {
  const links = ['h1', 'h1', 'h2', 'h2', 'h3']
    .map((host) => `{ between: [${host}, s1], rateGbps: 100, delayNs: 1000 }`)
    .join();
  const topology = `topology: { kind: custom, hosts: [h1, h2, h3], switches: [s1], links: [${links}] }`;
  return parseScenario(
    `name: two\ntitle: two links to one switch\n${topology}\n${more}`,
    'two.yaml',
  );
}

const flow = (from: string, to: string, bytes: number, startUs = 0): string =>
  `{ from: ${from}, to: ${to}, bytes: ${bytes}, startUs: ${startUs} }`;

/** The second flow of h1 leaves by its second link. */
const TWO_FLOWS = `flows: [${flow('h1', 'h2', 100_000)}, ${flow('h1', 'h2', 60_000, 1)}]`;

describe('hosts with two links to one switch', () => {
  it('have the frames of each link in a capture of its port, and all in one of the host', async () => {
    const ports = [['h1', 1], ['h1', 2], ['s1', 1], ['s1', 2], ['h1']] as const;
    const pieces = ports.map((): Uint8Array[] => []);
    await runScenario({
      scenario: twoLinks(TWO_FLOWS),
      seed: 1,
      observer: () =>
        new PortCapture(
          ports.map(([node, port], i) => ({
            node,
            port,
            write: (bytes) => pieces[i]?.push(bytes),
          })),
        ),
    });
    const counts = pieces.map((each) => [...decodeCapture(Buffer.concat(each))].length);
    const [one = 0, two = 0, atSwitchOne, atSwitchTwo, both] = counts;
    expect(Math.min(one, two)).toBeGreaterThan(60);
    expect([atSwitchOne, atSwitchTwo]).toEqual([one, two]);
    expect(both).toBe(one + two);
  });

  it('name the ports of packets that are followed; hosts with one link do not', async () => {
    const more = `flows: [${flow('h1', 'h3', 20_000)}, ${flow('h1', 'h2', 20_000)}]`;
    const { packets } = await travel(
      { scenario: twoLinks(more), seed: 1 },
      { fromUs: 0, lengthUs: 20 },
    );
    const data = packets.filter(({ purpose }) => purpose === 'data');
    const first = (number: number) => data.find((each) => each.flow === number);
    expect(first(1)).toMatchObject({ from: 'h1', fromPort: 1, to: 'h3' });
    expect(first(1)).not.toHaveProperty('toPort');
    expect(first(2)).toMatchObject({ from: 'h1', fromPort: 2, to: 'h2' });
    expect([1, 2]).toContain(first(2)?.toPort);
    const told = data.map((packet) => packetEnds(packet));
    expect(new Set(told)).toEqual(new Set(['h1:1 to h3', `h1:2 to h2:${first(2)?.toPort}`]));
    const [{ node, port } = {}] = first(2)?.hops ?? [];
    expect(`${node}:${port}`).toBe(`s1:${2 + (first(2)?.toPort ?? 0)}`);
  });

  it('have a track for each link in a trace', async () => {
    const pieces: Uint8Array[] = [];
    await runScenario({
      scenario: twoLinks(TWO_FLOWS),
      seed: 1,
      observer: (simulation) =>
        tracerOf(simulation, { write: (bytes) => pieces.push(bytes.slice()) }),
    });
    const text = Buffer.concat(pieces).toString('latin1');
    for (const name of ['sending at port 1', 'sending at port 2', 'received at port 2']) {
      expect(text).toContain(name);
    }
  });

  it.each([
    ['h1:1', 0],
    ['h1:2', 1],
  ])('lose the link that an event names by a port: %s', async (end, index) => {
    const events = `events: [{ atUs: 3, between: [s1, "${end}"], state: down }]`;
    const more = `flows: [${flow('h1', 'h2', 200_000)}, ${flow('h1', 'h2', 200_000)}]\n${events}`;
    const { result } = await runScenario({ scenario: twoLinks(more), seed: 1 });
    expect(result.violations).toEqual([]);
    expect(result.flows.every(({ fctUs }) => fctUs !== null)).toBe(true);
    const sent = result.links
      .filter(({ name }) => name.startsWith('h1:'))
      .map(({ bytes }) => bytes);
    expect(sent[index]).toBeLessThan(60_000);
    expect(sent[1 - index]).toBeGreaterThan(300_000);
  });

  it('are refused in events without a port, which could mean either link', async () => {
    const events = 'events: [{ atUs: 3, between: [h1, s1], state: down }]';
    await expect(
      runScenario({ scenario: twoLinks(`${TWO_FLOWS}\n${events}`), seed: 1 }),
    ).rejects.toThrow('event 1: several links join h1 and s1: wanted a port, such as h1:1');
  });

  it('have flows that wait for those of their own link only', async () => {
    const flows = [0, 1, 2].map((at) => flow('h1', 'h2', 100_000, at)).join();
    const scenario = twoLinks(`flows: [${flows}]`);
    const blamed = async (number: number): Promise<(number | null)[]> => {
      let found: () => FlowCauses | undefined = () => undefined;
      await runScenario({
        scenario,
        seed: 1,
        observer: (simulation) => {
          const observer = causeObserver(simulation, number);
          found = () => observer.causes;
          return observer;
        },
      });
      const parts = found()?.parts.filter(({ cause }) => cause === 'interface') ?? [];
      return parts.flatMap((part) => part.flows.map(({ id }) => id));
    };
    expect(await blamed(2)).toEqual([]);
    expect(await blamed(3)).toEqual([1]);
  });
});
