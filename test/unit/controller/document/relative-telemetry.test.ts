import { gigabitsPerSecond } from '../../../../common/units/units';
import { shownPort, shownPorts } from '../../../../controller/document/relative-telemetry';

const RELATIVE = { nominalGbps: 100, key: '000102030405060708090a0b0c0d0e0f' };
const RATE = gigabitsPerSecond(25);

test('a port is shown under an alias, with a capacity that is not its own', () => {
  const [one, other] = [1, 2].map((port) => shownPort(RELATIVE, { node: 's1', port, rate: RATE }));
  expect(one).toMatchObject({ nominalMbps: 100_000, factor: 4 * 2 ** 16 });
  expect(one?.alias).not.toBe(other?.alias);
  const key = RELATIVE.key.replace('00', 'ff');
  const third = shownPort({ ...RELATIVE, key }, { node: 's1', port: 1, rate: RATE });
  expect(third.alias).not.toBe(one?.alias);
});

test('a key that gives ports of two switches one alias is refused, with both names', () => {
  const ports = [
    { node: 's1371', port: 10, rate: RATE },
    { node: 's2', port: 1, rate: RATE },
    { node: 's1585', port: 57, rate: RATE },
  ];
  expect(shownPorts(RELATIVE, ports.slice(1))).toHaveLength(2);
  expect(() => shownPorts(RELATIVE, ports)).toThrow(
    'telemetry.relative.key gives s1371:10 and s1585:57 one alias: take another',
  );
});
