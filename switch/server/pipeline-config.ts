import { InputError } from '../../common/errors';
import { RpcError } from '../../common/p4runtime/codes';
import { electionIdFrom } from '../../common/p4runtime/election-id';
import * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import { dataPlaneIndex } from './pipeline/data-plane-widths';
import { deviceOf } from './device';
import type { Device, Devices } from './device';
import type {
  PipelineConfig,
  DigestConfig,
  DigestSettings,
  RunningPipeline,
} from './state/running-pipeline';
import { checkP4Info } from './pipeline/p4info-check';
import { captureState, replayState } from './pipeline/reconcile';
import { bmv2Json } from './pipeline/device-config';
import { threadReadProgram } from './pipeline/thread-read-program';
import type { Work } from './turns/turns';
import type { P4Info } from '../../common/p4runtime/generated/p4/config/v1/p4info';
import { ProgramState } from '../state/program-state';
import { Replication } from './replication/replication';
import type { Replicators } from './replication/replication';
import type { ServedSwitch } from './state/served-switch';
import { startedPipeline } from './state/running-pipeline';

/**
 * SetForwardingPipelineConfig (P4Runtime 1.5.0): a configuration is refused as a whole, before it
 * changes anything. @throws RpcError
 */
export async function setPipelineConfig(
  devices: Devices,
  request: p4.SetForwardingPipelineConfigRequest,
): Promise<p4.SetForwardingPipelineConfigResponse> {
  const device = deviceOf(devices, request.deviceId);
  requirePusher(device, request);
  if (request.hasConfig && request.config.hasP4info) await prepare(device, request.config);
  // Another controller may have taken over meanwhile.
  requirePusher(device, request);
  await device.turns.run(setConfig(device, request));
  return new p4.SetForwardingPipelineConfigResponse({});
}

function requirePusher(device: Device, request: p4.SetForwardingPipelineConfigRequest): void {
  const role = device.requirePrimary(request.role, electionIdFrom(request.electionId));
  if (role.scope?.canPushPipeline !== false) return;
  throw new RpcError('PERMISSION_DENIED', `the role '${role.name}' may not push a pipeline`);
}

/** Forwarding goes on meanwhile, where the switch can do that. @throws RpcError */
async function prepare(device: Device, config: p4.ForwardingPipelineConfig): Promise<void> {
  const json = bmv2Json(config.p4DeviceConfig);
  try {
    await device.control.prepareProgram?.(json);
  } catch (error) {
    throw refusedInput(error);
  }
}

function* setConfig(device: Device, request: p4.SetForwardingPipelineConfigRequest): Work<void> {
  const Action = p4.SetForwardingPipelineConfigRequestAction;
  switch (request.action) {
    case Action.VERIFY:
      yield* verified(device, request);
      return;
    case Action.VERIFY_AND_SAVE:
      device.saved = yield* verified(device, request);
      return;
    case Action.VERIFY_AND_COMMIT:
      commit(device, yield* verified(device, request));
      return;
    case Action.COMMIT:
      commitSaved(device, request);
      return;
    case Action.RECONCILE_AND_COMMIT:
      yield* reconcile(device, yield* verified(device, request));
      return;
    case Action.UNSPECIFIED:
    default:
      throw new RpcError('INVALID_ARGUMENT', 'the request wants an action');
  }
}

function* verified(
  device: Device,
  request: p4.SetForwardingPipelineConfigRequest,
): Work<PipelineConfig> {
  if (!request.hasConfig || !request.config.hasP4info) {
    throw new RpcError('INVALID_ARGUMENT', 'the request wants a config with P4Info');
  }
  const message = request.config;
  const program = bmv2Json(message.p4DeviceConfig);
  yield;
  const nodes = refusingInput(() => threadReadProgram(program));
  yield;
  const info = refusingInput(() => {
    const index = dataPlaneIndex(message.p4info, nodes);
    checkP4Info(index, nodes, device.compatible === 'bmv2' ? 'positions' : 'whole');
    return index;
  });
  yield;
  refusingInput(() => device.control.verifyProgram(program));
  yield;
  return { message, info };
}

function commit(device: Device, config: PipelineConfig): void {
  refusingInput(() => device.control.loadProgram(bmv2Json(config.message.p4DeviceConfig)));
  device.started(config);
}

/**
 * Reconciles a new program: where it declares all that the old one keeps alike, the state stays as
 * it is and is not touched. Otherwise the program is loaded and the state made again. That is tried
 * on a pipeline of its own first, so that the running one is touched only when all of it can be
 * kept.
 */
function* reconcile(device: Device, config: PipelineConfig): Work<void> {
  const { committed, control } = device;
  if (committed === undefined) {
    commit(device, config);
    return;
  }
  const json = bmv2Json(config.message.p4DeviceConfig);
  if (
    control.replaceProgram !== undefined &&
    declaresAll(committed.message.p4info, config.message.p4info)
  ) {
    yield;
    if (refusingInput(() => control.replaceProgram?.(json))) {
      device.continued(config);
      return;
    }
  }
  const state = captureState(device.requirePipeline());
  replayState(shadowPipeline(control, config), state);
  commit(device, config);
  replayState(device.requirePipeline(), state);
}

function commitSaved(device: Device, request: p4.SetForwardingPipelineConfigRequest): void {
  if (request.hasConfig) throw new RpcError('INVALID_ARGUMENT', 'COMMIT takes no config');
  if (device.saved === undefined) {
    throw new RpcError('NOT_FOUND', `device ${device.id}: no saved configuration to commit`);
  }
  commit(device, device.saved);
}

function refusingInput<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw refusedInput(error);
  }
}

const refusedInput = (error: unknown): unknown =>
  error instanceof InputError ? new RpcError('INVALID_ARGUMENT', error.message) : error;

/** Numbers that the specification does not have ask for no part, and get the cookie. */
const ResponseType = p4.GetForwardingPipelineConfigRequestResponseType;

/** Encoded answers about configurations, by what was requested of them. */
const ENCODED = new WeakMap<p4.ForwardingPipelineConfig, Map<number, Uint8Array>>();

/**
 * GetForwardingPipelineConfig: the requested parts of the running configuration, as bytes. PERF: they are made once
 * for each configuration, as packets wait while they are.
 */
export function handleGetPipelineConfig(
  devices: Devices,
  { deviceId, responseType }: p4.GetForwardingPipelineConfigRequest,
): Uint8Array {
  const committed = deviceOf(devices, deviceId).committed?.message;
  if (committed === undefined) return new p4.GetForwardingPipelineConfigResponse({}).serialize();
  const known = ENCODED.get(committed) ?? new Map<number, Uint8Array>();
  ENCODED.set(committed, known);
  const parts = responseType in ResponseType ? responseType : ResponseType.COOKIE_ONLY;
  const bytes = known.get(parts) ?? requestedParts(committed, parts).serialize();
  known.set(parts, bytes);
  return bytes;
}

function requestedParts(
  committed: p4.ForwardingPipelineConfig,
  type: p4.GetForwardingPipelineConfigRequestResponseType,
): p4.GetForwardingPipelineConfigResponse {
  const config = new p4.ForwardingPipelineConfig({});
  if (type === ResponseType.ALL || type === ResponseType.P4INFO_AND_COOKIE)
    config.p4info = committed.p4info;
  if (type === ResponseType.ALL || type === ResponseType.DEVICE_CONFIG_AND_COOKIE) {
    config.p4DeviceConfig = committed.p4DeviceConfig;
  }
  if (committed.hasCookie) config.cookie = committed.cookie;
  return new p4.GetForwardingPipelineConfigResponse({ config });
}

/** True if one P4Info has all objects of another with equal names, numbers and shapes. */
function declaresAll(old: P4Info, next: P4Info): boolean {
  const there = new Set(declared(next));
  return declared(old).every((each) => there.has(each));
}

/** All but what describes the package as a whole. */
function declared(info: P4Info): string[] {
  const kinds = [
    info.tables,
    info.actions,
    info.actionProfiles,
    info.registers,
    info.digests,
    info.counters,
    info.directCounters,
    info.meters,
    info.directMeters,
    info.valueSets,
    info.controllerPacketMetadata,
  ];
  return kinds.flatMap((objects, kind) =>
    objects.map((each) => `${kind} ${Buffer.from(each.serialize()).toString('latin1')}`),
  );
}

/**
 * A pipeline with the state of a program that was just loaded. No packet passes it and it notifies
 * nobody: writes to it show whether they would succeed.
 */
export function shadowPipeline(
  device: ServedSwitch,
  { info, message }: PipelineConfig,
): RunningPipeline {
  const json = bmv2Json(message.p4DeviceConfig);
  const control = device.createPipeline?.(json) ?? new ProgramState(threadReadProgram(json));
  const replication = new Replication(inertPartsOf(device));
  const idle = { watch: ignore };
  return startedPipeline({ info, control, replication, digests: silent(), idle }, new Set());
}

const ignore = (): undefined => undefined;

/** Digests without a receiver. */
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
