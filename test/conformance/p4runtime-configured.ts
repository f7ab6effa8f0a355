import * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import { RawController } from '../support/p4runtime/raw-controller';
import type { CallStatus } from '../support/p4runtime/raw-controller';
import { sampleConfig } from './p4runtime-target';
import type { Dataplane, P4RuntimeTarget, StartTarget } from './p4runtime-target';

const { VERIFY_AND_COMMIT } = p4.SetForwardingPipelineConfigRequestAction;

/** Calls for tests of entities, as the primary of a device that runs the sample program. */
export interface Configured {
  readonly write: (...updates: p4.Update[]) => Promise<CallStatus>;
  /** Writes one update and tells the name of its status code. */
  readonly outcome: (update: p4.Update) => Promise<string>;
  /** Reads what the filter lets through and tells the name of the status code. */
  readonly readOutcome: (filter: p4.Entity) => Promise<string>;
  /** Reads all entities that the filter lets through. */
  readonly read: (filter: p4.Entity) => Promise<p4.Entity[]>;
  /** The controller itself, for other requests. */
  readonly controller: () => RawController;
  /** With which it is the primary. */
  readonly electionId: () => bigint;
  /** The ports of the device. */
  readonly dataplane: () => Dataplane;
}

/** Higher than all before, because a shared device may still see the controller of another test. */
let electionId = 0n;

/** Configures a device before every test of the suite and leaves it afterwards. */
export function configured(start: StartTarget, config = () => sampleConfig()): Configured {
  let target: P4RuntimeTarget;
  let controller: RawController;

  beforeEach(async () => {
    target = await start('any');
    controller = new RawController(target.address, target.deviceId);
    electionId += 1n;
    await controller.bidAndWait(electionId);
    const status = await controller.setPipeline(electionId, VERIFY_AND_COMMIT, config());
    expect(status).toEqual({ code: 'OK', message: '' });
  });

  afterEach(async () => {
    controller.close();
    await target.stop();
  });

  const write = (...updates: p4.Update[]): Promise<CallStatus> =>
    controller.write(electionId, updates);
  return {
    write,
    outcome: async (update) => {
      const status = await write(update);
      return status.elements?.[0]?.code ?? status.code;
    },
    readOutcome: async (filter) => {
      const { status } = await controller.read([filter]);
      return status.elements?.[0]?.code ?? status.code;
    },
    read: async (filter) => {
      const { responses, status } = await controller.read([filter]);
      expect(status.code).toBe('OK');
      return responses.flatMap((each) => each.entities);
    },
    controller: () => controller,
    electionId: () => electionId,
    dataplane: () => target.dataplane,
  };
}
