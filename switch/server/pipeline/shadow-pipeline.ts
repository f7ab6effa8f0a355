import { readProgram } from '../../ir/lowering/read-program';
import { ProgramState } from '../../state/program-state';
import { Replication } from '../replication/replication';
import type { Replicators } from '../replication/replication';
import type { ServedSwitch } from '../state/control-faces';
import { startedPipeline } from '../state/running-pipeline';
import type {
  DigestConfig,
  DigestSettings,
  PipelineConfig,
  RunningPipeline,
} from '../state/running-pipeline';
import { bmv2Json } from './device-config';

/**
 * A pipeline with the state of a program that was just loaded. No packet passes it and nobody hears
 * of it: writes to it show whether they would succeed.
 */
export function shadowPipeline(
  device: ServedSwitch,
  { info, message }: PipelineConfig,
): RunningPipeline {
  const json = bmv2Json(message.p4DeviceConfig);
  const control = device.createPipeline?.(json) ?? new ProgramState(readProgram(json));
  const replication = new Replication(inertPartsOf(device));
  const idle = { watch: ignore };
  return startedPipeline({ info, control, replication, digests: silent(), idle }, new Set());
}

const ignore = (): undefined => undefined;

/** Digests that nobody receives. */
function silent(): DigestSettings {
  const enabled = new Map<number, DigestConfig>();
  return {
    settings: (id) => enabled.get(id),
    configure: ({ id }, config) => void enabled.set(id, config),
    disable: (id) => void enabled.delete(id),
  };
}

/** Groups and sessions that go nowhere, where the device has real ones. */
function inertPartsOf(device: Replicators): Replicators {
  const multicast = { setGroup: ignore, deleteGroup: ignore, groups: () => [] };
  const cloneSessions = { setSession: ignore, deleteSession: ignore, session: ignore };
  return {
    ...(device.multicast && { multicast }),
    ...(device.cloneSessions && { cloneSessions }),
  };
}
