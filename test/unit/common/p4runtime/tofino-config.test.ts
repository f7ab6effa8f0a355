import { encodeTofinoConfig } from '../../../../controller/io/tofino-program';
import { fromHex } from '../../../support/hex';

const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text));

test('the device configuration of Stratum for Tofino is its message BfPipelineConfig', () => {
  const config = encodeTofinoConfig({
    name: 'hpcc',
    bfrt: bytes('{}'),
    pipelines: [
      { name: 'pipe', context: bytes('[1]'), binary: fromHex('00ff'), pipes: [0, 1, 2, 3] },
    ],
  });
  // p4_name = 1, bfruntime_info = 2, profiles = 3 with profile_name, context, binary, pipe_scope.
  const profile = '0a0470697065 12035b315d 1a0200ff 220400010203';
  expect(config).toEqual(fromHex(`0a0468706363 12027b7d 1a15 ${profile}`));
});
