import { readSwitchFlags } from '../../../../../switch/io/flags/switch-flags';
import type { BufferOptions } from '../../../../../switch/buffer/shared-buffer';

const RATES = ['--link-rate-bps', '1=100e6', '--link-rate-bps', '2=1e9'];

function bufferOf(...argv: readonly string[]): BufferOptions | undefined {
  const request = readSwitchFlags(['--no-p4', ...argv]);
  if (request.kind !== 'run') throw new Error(`wanted a run, found ${request.kind}`);
  return request.flags.buffer;
}

test('ports share no memory unless asked to', () => {
  expect(bufferOf(...RATES)).toBeUndefined();
});

test('a size alone is memory whose groups may hold what is free, and that loses packets', () => {
  expect(bufferOf(...RATES, '--buffer-bytes', '2000000')).toEqual({
    bytes: 2_000_000,
    alphas: [1],
    reservedBytes: 0,
    lossless: undefined,
  });
});

test('the headroom is what each link brings in 5 ms and three frames, unless given', () => {
  const usual = bufferOf(...RATES, '--buffer-bytes', '2M', '--pfc-priorities', '0')?.lossless;
  expect([1, 2].map((port) => usual?.headroomBytes(port))).toEqual([
    62_500 + 3 * 1518 + 60,
    625_000 + 3 * 1518 + 60,
  ]);
  expect(usual).toMatchObject({ priorities: [0], resumeOffsetBytes: 3036, quanta: 65535 });
});

test('everything can be said', () => {
  const given = bufferOf(
    ...RATES,
    '--priority-queues',
    '8',
    '--buffer-bytes',
    '1000000',
    '--buffer-alpha',
    '1,0.125',
    '--buffer-reserved-bytes',
    '2000',
    '--pfc-priorities',
    '3,4',
    '--pfc-headroom-bytes',
    '9000',
    '--pfc-resume-offset-bytes',
    '0',
    '--pfc-quanta',
    '100',
  );
  expect(given).toMatchObject({ alphas: [1, 0.125], reservedBytes: 2000 });
  expect(given?.lossless).toMatchObject({ priorities: [3, 4], resumeOffsetBytes: 0, quanta: 100 });
  expect(given?.lossless?.headroomBytes(1)).toBe(9000);
});

const WITH = [...RATES, '--buffer-bytes', '1000000'];

test.each([
  [['--buffer-bytes', '1000'], '--buffer-bytes needs the rate of each link, and there is no'],
  [
    [...WITH, '-i', '3@veth3'],
    '--buffer-bytes needs the rate of each link: --link-rate-bps 3=… for veth3',
  ],
  [
    [...RATES, '--buffer-bytes', '0'],
    '--buffer-bytes takes a whole number from 1 to 1000000000000',
  ],
  [
    [...WITH, '--buffer-alpha', '0'],
    'number above 0 and up to 1024, or one per priority such as 1,0.5',
  ],
  [[...WITH, '--buffer-alpha', '1,,2'], "and '1,,2' was given"],
  [[...WITH, '--buffer-alpha', 'NaN'], "and 'NaN' was given"],
  [[...WITH, '--pfc-priorities', '1'], "takes queues from 0 to 0, such as 0,1, each once, and '1'"],
  [[...WITH, '--pfc-priorities', ''], "and '' was given"],
  [[...WITH, '--priority-queues', '2', '--pfc-priorities', '1,1'], "each once, and '1,1'"],
  [[...WITH, '--priority-queues', '32', '--pfc-priorities', '8'], 'takes queues from 0 to 7'],
  [
    [...WITH, '--pfc-priorities', '0', '--queue-depth', '1=64'],
    '--pfc-priorities excludes --queue-depth 1=…, which would drop lossless packets',
  ],
  [[...WITH, '--pfc-priorities', '0', '--pfc-quanta', '65536'], 'whole number from 1 to 65535'],
  [[...WITH, '--pfc-priorities', '0', '--pfc-quanta', '0'], 'whole number from 1 to 65535'],
  [[...WITH, '--pfc-quanta', '5'], '--pfc-quanta needs --pfc-priorities, the queues that lose'],
  [[...RATES, '--pfc-priorities', '0'], '--pfc-priorities needs --buffer-bytes, the memory'],
  [[...RATES, '--buffer-alpha', '2'], '--buffer-alpha needs --buffer-bytes'],
])('%j is refused: %s', (argv, message) => {
  expect(() => bufferOf(...argv)).toThrow(message);
});
