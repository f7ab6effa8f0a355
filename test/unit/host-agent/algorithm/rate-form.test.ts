import { InputError } from '../../../../common/errors';
import type { RateFormOptions } from '../../../../host-agent/algorithm/rate-form';
import { HpccRateForm } from '../../../../host-agent/algorithm/rate-form';
import { acknowledgement, hopRecord } from '../../../support/telemetry';
import { proves } from '../../../support/evidence';

const OPTIONS: RateFormOptions = {
  baseRttNs: 4160,
  windowBytesMax: 52_000,
  linkRate: 100e9,
  rateMin: 1e9,
  additiveIncrease: 50e6,
  targetUtilization: 0.95,
  maxStage: 5,
  maxHops: 5,
};

describe('the rate form of the reference simulator', () => {
  it('starts at line rate, without a round to end', () => {
    const form = new HpccRateForm(OPTIONS);
    expect([form.rate, form.referenceRate, form.windowBytes]).toEqual([100e9, 100e9, 52_000]);
    expect([form.normalizedInflight, form.incStage]).toEqual([1, 0]);
    expect(form.lastUpdateSequence).toBeUndefined();
  });

  // The second acknowledgement of the recorded incast: 1,024 bytes in 87 ns at 100 Gb/s are
  // u = 0.9416; U = (4073 + 0.9416 * 87) / 4160 = 0.998779; floor(100e9 * 0.95 / U) + 50e6.
  proves({ cases: ['simulator-truncation'] })(
    'truncates quotients to whole bits per second and windows to whole bytes',
    () => {
      const form = new HpccRateForm(OPTIONS);
      const hop = hopRecord();
      expect(form.onAck(acknowledgement({ telemetry: [hop], nextSequence: 49_000 }))).toBe('first');
      const next = { ...hop, timestamp: 87, txBytes: 1024 };
      const ack = acknowledgement({ telemetry: [next], ackSequence: 2000, nextSequence: 50_000 });
      expect(form.onAck(ack)).toBe('fast');
      expect(form.rate).toBe(95_166_151_454);
      expect(form.windowBytes).toBe(49_486);
      expect(form.referenceRate).toBe(100e9);
      expect(form.lastUpdateSequence).toBe(49_000);
    },
  );

  it('bounds the rate from below and the window to at least one byte', () => {
    const form = new HpccRateForm({ ...OPTIONS, windowBytesMax: 10 });
    const hop = hopRecord({ queueBytes: 1e9 });
    form.onAck(acknowledgement({ telemetry: [hop] }));
    form.onAck(acknowledgement({ telemetry: [{ ...hop, timestamp: 4160 }] }));
    expect(form.rate).toBe(1e9);
    expect(form.windowBytes).toBe(1);
  });

  it.each(Object.keys(OPTIONS))('refuses a bad %s by name', (name) => {
    const build = (): HpccRateForm => new HpccRateForm({ ...OPTIONS, [name]: -1 });
    expect(build).toThrow(InputError);
    expect(build).toThrow(name);
  });

  it.each(['windowBytesMax', 'linkRate', 'rateMin', 'additiveIncrease', 'targetUtilization'])(
    'refuses a %s of 0',
    (name) => {
      expect(() => new HpccRateForm({ ...OPTIONS, [name]: 0 })).toThrow(`${name} must be`);
    },
  );

  it.each(['baseRttNs', 'maxStage', 'maxHops'])('refuses a %s that is no whole number', (name) => {
    expect(() => new HpccRateForm({ ...OPTIONS, [name]: 4.5 })).toThrow(`${name} must be`);
  });
});
