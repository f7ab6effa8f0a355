import { doctorSchema, doctorText, machineCapacity } from '../../../../emulator/mininet/doctor-report';

const report = doctorSchema.parse({
  checks: [
    { name: 'ip', ok: true, found: '6.1', wanted: 'ip', packages: ['iproute2'], neededFor: 'all' },
    { name: 'Mininet', ok: false, found: 'none', wanted: '2.3', packages: ['mininet'], neededFor: 'all' },
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
    expect(text).toContain('MISSING  Mininet: wanted 2.3, found none; for all');
    expect(text).toContain('install with: apt-get install mininet');
    expect(text).toContain('embedded: 20000 packets/s of 1000 bytes (160 Mb/s), idle 40 %');
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
