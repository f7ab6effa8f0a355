import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { roundedRates } from '../../../../../controller/intent/telemetry-rate';
import {
  checkedScenario,
  loadScenario,
  loadSimulatorFiles,
  withParameters,
} from '../../../../../emulator/io/inputs/scenario-files';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-scenario-files-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));

const COUNT = 1300;
const hosts = Array.from({ length: COUNT }, (_, i) => i);

/** A chain of switches, each with a host: more routes than the heap holds. */
function chain(): string {
  const file = path.join(folder, 'chain.txt');
  const link = (a: number, b: number): string => `${a} ${b} 100Gbps 1us 0`;
  const lines = [
    `${2 * COUNT} ${COUNT} ${2 * COUNT - 1}`,
    hosts.map((i) => COUNT + i).join(' '),
    ...hosts.map((i) => link(i, COUNT + i)),
    ...hosts.slice(1).map((i) => link(COUNT + i - 1, COUNT + i)),
  ];
  fs.writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

function flows(pairs: readonly (readonly [number, number])[]): string {
  const file = path.join(folder, 'flows.txt');
  const lines = pairs.map(([from, to]) => `${from} ${to} 3 100 1000 2.0`);
  fs.writeFileSync(file, `${[pairs.length, ...lines].join('\n')}\n`);
  return file;
}

describe('a topology with more routes than memory holds', () => {
  test('is left with the hosts of flows, which it says', () => {
    const said = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    const { topology } = loadSimulatorFiles(chain(), flows([[0, 3]]));
    const text = said.mock.calls.map(([piece]) => String(piece)).join('');
    said.mockRestore();
    expect(text).toContain('1298 hosts have no flows and are left out');
    expect(topology).toMatchObject({
      hosts: ['h0', 'h3'],
      switches: ['s1300', 's1301', 's1302', 's1303'],
    });
  });

  test('is refused where all hosts have flows', () => {
    const all = hosts.map((i): [number, number] => [i, (i + 1) % COUNT]);
    expect(() => loadSimulatorFiles(chain(), flows(all))).toThrow(
      'chain.txt: 1300 switches with routes to 1300 hosts are more than 1500000 routes',
    );
  });
});

test.each([
  ['25Gbps', 80, 128],
  ['400Gbps', 1280, 2048],
  ['100Tbps', 40_960, 32_768],
])('units of telemetry fit into it for links of %s', (rate, queueUnitBytes, txUnitBytes) => {
  const file = path.join(folder, 'two.txt');
  fs.writeFileSync(file, `3 1 2\n2\n0 2 ${rate} 1us 0\n1 2 ${rate} 1us 0\n`);
  const { parameters } = loadSimulatorFiles(file, flows([[0, 1]]));
  expect(parameters).toMatchObject({ queueUnitBytes, txUnitBytes });
});

test('rates that telemetry rounds are told without the noise of doubles', () => {
  expect(roundedRates([999_998.9999999999])).toBe(
    'telemetry carries rates in whole Mb/s, at least 1: 0.999999 Mb/s as 1',
  );
});

describe('segments are as long as is usual for their framing', () => {
  const lengthOf = ({ parameters }: { parameters: { mss: number } }): number => parameters.mss;
  const roce = { framing: 'rocev2' } as const;
  const document = { ...loadScenario('single-flow'), parameters: roce };

  test('in documents, options and variants', () => {
    const base = loadScenario('single-flow');
    expect([base, withParameters(base, roce), checkedScenario(document)].map(lengthOf)).toEqual([
      1000, 1024, 1024,
    ]);
  });

  test('unless told', () => {
    const base = withParameters(loadScenario('single-flow'), { mss: 512 });
    expect(lengthOf(withParameters(base, roce))).toBe(512);
    expect(lengthOf(withParameters(base, { ...roce, mss: 2048 }))).toBe(2048);
    expect(lengthOf(withParameters(checkedScenario(document), { framing: 'hpcc' }))).toBe(1024);
  });
});
