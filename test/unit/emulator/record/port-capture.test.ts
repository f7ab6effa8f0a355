import { decodeCapture } from '../../../../common/telemetry/decode/decode-capture';
import { WireFault } from '../../../../common/wire/fault';
import { portCaptureOption } from '../../../../cli/shared/pcap-options';
import { PortCapture } from '../../../../emulator/record/port-capture';
import { runScenario } from '../../../../emulator/io/run-scenario';
import { loadScenario, withParameters } from '../../../../emulator/io/inputs/scenario-files';

test('a link has the same frames at both ends, whole, with times in order and readable telemetry', async () => {
  const pieces: Uint8Array[][] = [[], []];
  const write = (end: number) => (bytes: Uint8Array) => pieces[end]?.push(bytes);
  await runScenario({
    scenario: withParameters(loadScenario('incast16'), { untilUs: 30 }),
    seed: 1,
    checkInvariants: false,
    observer: () =>
      new PortCapture([
        { node: 's1', port: 17, write: write(0) },
        { node: 'h17', write: write(1) },
      ]),
  });
  const [atSwitch, atHost] = pieces.map((each) => [...decodeCapture(Buffer.concat(each))]);
  expect(atHost?.length).toBeGreaterThan(20);
  // The last ones may be on the link when the run ends.
  expect(Math.abs((atSwitch?.length ?? 0) - (atHost?.length ?? 0))).toBeLessThan(30);
  for (const frames of [atSwitch, atHost]) {
    const times = (frames ?? []).map(({ time }) => time?.nanoseconds ?? NaN);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    for (const { decoded } of frames ?? []) {
      expect(decoded).not.toBeInstanceOf(WireFault);
      if (decoded instanceof WireFault) continue;
      expect(decoded.telemetry.filter((found) => 'fault' in found)).toEqual([]);
    }
  }
});

test('a port and its file are taken apart, and other forms are refused', () => {
  expect(portCaptureOption('s1:2=a=b.pcap')).toEqual([{ node: 's1', port: 2, file: 'a=b.pcap' }]);
  expect(portCaptureOption('h1=x', [])).toEqual([{ node: 'h1', port: undefined, file: 'x' }]);
  expect(() => portCaptureOption('h2=x', portCaptureOption('h1=x'))).toThrow('x was given twice');
  for (const wrong of ['s1', 's1:2', 's1:x=f', '=f', 's1:2=']) {
    expect(() => portCaptureOption(wrong)).toThrow(`and '${wrong}' was given`);
  }
});
