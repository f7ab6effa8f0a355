import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { gigabitsPerSecond } from '../../common/units/units';
import { prepareDocument } from '../../controller/io/network-file';
import { MODEL_CHIPS } from '../../switch/io/tofino-model/chips';
import { tofinoModelAvailable } from '../../switch/io/tofino-model/harness';
import type { StfTest } from '../../switch/stf/text/statements';
import { compilerOutput, tnaArtifact } from '../support/controller/compiler-output';
import { ROOT } from '../support/paths';
import { describeIf } from '../support/requires';
import { entitiesAsStf } from './support/entities-as-stf';
import { hpccppOver } from './support/hpccpp-over-switch';
import type { Reaction } from './support/hpccpp-over-switch';
import { chipSwitch, twinSwitch } from './support/packet-switch';
import type { PacketSwitch } from './support/packet-switch';

const PACKETS = 100;
const MINUTES = 60_000;

/** Two hosts at one switch, the receiver's link with a quarter of the rate. */
const DOCUMENT = {
  switches: [{ name: 's1', nodeId: 7, address: '127.0.0.1:9559', target: 'stratum' as const }],
  hosts: [
    { name: 'h1', ipv4: '10.0.0.1', mac: '02:00:00:00:00:01' },
    { name: 'h2', ipv4: '10.0.0.2', mac: '02:00:00:00:00:02' },
  ],
  links: [
    { between: ['h1', 's1:1'] as [string, string], rate: '100 Gb/s' },
    { between: ['h2', 's1:2'] as [string, string], rate: '25 Gb/s' },
  ],
};

describe.each(['tofino', 'tofino2'] as const)('a switch of a network, %s', (chip) => {
  const { harness, binary } = MODEL_CHIPS[chip];
  const folderOfProgram = path.join(ROOT, 'out', 'tna', chip, 'hpcc');
  const isBuilt = fs.existsSync(path.join(folderOfProgram, 'pipe', binary));
  const isThere = isBuilt && tofinoModelAvailable(MODEL_CHIPS[chip]);
  const lack = `${harness} is not on PATH, or out/tna/${chip} has no hpcc`;
  describeIf(isThere, 'that is the model', lack, () => {
    let planned: StfTest;
    beforeAll(async () => {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-tofino-model-network-'));
      compilerOutput(folder);
      const program = {
        p4info: tnaArtifact(`hpcc.${chip}.p4info.txtpb`),
        conf: path.join(folder, 'hpcc.conf'),
      };
      const { switches } = await prepareDocument({ ...DOCUMENT, program });
      const [only] = switches;
      if (only === undefined) throw new Error('the document has a switch');
      planned = entitiesAsStf(only.program.index, only.management.desired);
      fs.rmSync(folder, { recursive: true });
    });

    const reactions = async (device: PacketSwitch): Promise<readonly Reaction[]> => {
      try {
        await device.setUp(planned);
        return await hpccppOver(device, 1, PACKETS);
      } finally {
        await device.stop();
      }
    };

    test(
      'takes what the controller plans, and HPCC++ reacts to it as to its twin',
      async () => {
        const seen = await reactions(await chipSwitch(folderOfProgram));
        expect(seen).toEqual(await reactions(twinSwitch('hpcc')));
        expect(seen).toHaveLength(PACKETS);
        expect(seen.map(({ told }) => [told.switchId, told.portId])).toEqual(
          seen.map(() => [7, 2]),
        );
        const first = seen[0]?.pacingRate ?? 0;
        const last = seen.at(-1)?.pacingRate ?? 0;
        expect(first).toBeGreaterThan(gigabitsPerSecond(90));
        expect(last).toBeLessThan(gigabitsPerSecond(28));
      },
      10 * MINUTES,
    );
  });
});
