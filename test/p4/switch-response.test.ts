import * as fs from 'node:fs';
import * as path from 'node:path';
import { z } from 'zod';
import { fromHex, toHex } from '../support/hex';
import { ROOT } from '../support/paths';
import { ProfileOnSwitch } from './support/profile-on-switch';
import { ROUTES } from './support/profile-set-ups';

const FILE = path.join(ROOT, 'test', 'fixtures', 'switch-response.json');

const fixture = z.object({
  vectors: z.array(
    z.object({
      name: z.string(),
      toReceiver: z.boolean(),
      before: z.string(),
      request: z.string(),
      response: z.string(),
    }),
  ),
});

const { vectors } = fixture.parse(JSON.parse(fs.readFileSync(FILE, 'utf8')));

const setUp = (toReceiver: boolean): string =>
  [
    ...ROUTES,
    'add feedback_threshold standard_metadata.egress_port:2 respond_above(queue_bytes:0, ' +
      `interval_ns:0, clone_session:5, response_dscp:48, to_receiver:${toReceiver ? 1 : 0})`,
    'mirroring_add 5 9',
  ].join('\n');

describe('switch responses', () => {
  test.each(vectors)('to $name have the bytes of the vector', (vector) => {
    const device = new ProfileOnSwitch('hpcc-feedback', setUp(vector.toReceiver));
    const packets = [vector.before, vector.request].map((hex) => ({
      port: 1,
      bytes: fromHex(hex),
    }));
    const out = device.through(packets);
    expect(toHex(out[out.length - 1]?.bytes ?? new Uint8Array(0))).toBe(vector.response);
    expect(out[out.length - 1]?.port).toBe(vector.toReceiver ? 2 : 1);
  });
});
