import {
  canRun,
  doctorSchema,
  doctorText,
  machineCapacity,
} from '../../../../mininet/experiment/doctor-report';

const check = (
  ...[name, found, wanted, packages, neededFor]: [string, string, string, string[], string]
): object => ({ name, ok: found !== 'none', found, wanted, packages, neededFor });

const report = doctorSchema.parse({
  checks: [
    check('ip', '6.1', 'ip', ['iproute2'], 'everything'),
    check('Mininet', 'none', '2.3', ['mininet'], 'everything'),
    check('netem', 'none', 'CONFIG_NET_SCH_NETEM', [], 'links with a delay'),
  ],
  cores: 2,
  idle: 0.97,
  capacity: [
    { kind: 'embedded', packetsPerSecond: 20_000.4, idle: 0.4, frameBytes: 1000 },
    { kind: 'bmv2', packetsPerSecond: 0, idle: 1, frameBytes: 1000 },
  ],
});

describe('the report of the doctor', () => {
  test('names what is missing and the command that installs it', () => {
    const text = doctorText(report);
    expect(text).toContain('MISSING  Mininet: wanted 2.3, found none; for everything');
    expect(text).toContain('without  netem: wanted CONFIG_NET_SCH_NETEM, found none; for links');
    expect(text).toContain('install with: apt-get install mininet');
    expect(text).toContain('embedded: 20000 packets/s of 1000 bytes (160 Mb/s), idle 40 %');
  });

  test('proposes rate, T and duration that the machine carries', () => {
    const linesWith = (lateMs: number | null): string | undefined => {
      const capacity = report.capacity.map((each) => ({ ...each, lateMs }));
      const lines = doctorText({ ...report, capacity }).split('\n');
      expect(lines.filter((line) => line.includes('try'))).toHaveLength(1);
      return lines.at(-1);
    };
    // 15 % of 160 Mb/s; ten packets of 8000 bits take 3.3 ms there.
    const rate = 'embedded: try --set rate=24 --set hostRate=48';
    expect(linesWith(null)).toBe(`${rate} --set rttUs=4000 --set seconds=10`);
    expect(linesWith(1)).toBe(`${rate} --set rttUs=4000 --set seconds=10`);
    expect(linesWith(16)).toBe(`${rate} --set rttUs=16000 --set seconds=32`);
  });

  test('lets experiments run without what only some of them need', () => {
    expect(canRun(report)).toBe(false);
    const checks = report.checks.filter(({ name }) => name !== 'Mininet');
    expect(canRun({ ...report, checks })).toBe(true);
  });

  test('a switch that forwarded nothing has no capacity', () => {
    expect(machineCapacity(report)).toEqual({
      packetsPerSecond: { embedded: 20_000.4 },
      frameBytes: 1000,
    });
  });

  test('without measurements there is none', () => {
    expect(machineCapacity({ ...report, capacity: [] })).toBeUndefined();
  });
});
