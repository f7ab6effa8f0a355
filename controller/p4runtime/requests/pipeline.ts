import { createHash } from 'node:crypto';
import type { P4Info } from '../../../common/p4runtime/generated/p4/config/v1/p4info';
import { electionIdMessage } from '../../../common/p4runtime/election-id';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { Connection } from '../session/connection';
import type { Sender } from '../session/session';
import * as fs from 'node:fs/promises';
import { InputError, withPlace } from '../../../common/errors';
import { p4InfoFormatOf, parseP4Info } from '../../../common/p4runtime/load-p4info';

/** A program for a switch. */
export interface Pipeline {
  readonly p4info: P4Info;
  /** Program of the switch: BMv2 JSON as bytes. */
  readonly deviceConfig: Uint8Array;
  /** A mark that the switch keeps and returns; any 64-bit number. */
  readonly cookie?: bigint;
}

/** Program of a switch as it reports it; all absent before the first one. */
export interface RunningPipeline {
  readonly p4info?: P4Info;
  readonly deviceConfig?: Uint8Array;
  readonly cookie?: bigint;
}

/** Action of SetForwardingPipelineConfig (P4Runtime 1.5.0). */
export type PipelineAction = keyof typeof ACTIONS;

const { VERIFY, VERIFY_AND_SAVE, VERIFY_AND_COMMIT, COMMIT, RECONCILE_AND_COMMIT } =
  p4.SetForwardingPipelineConfigRequestAction;

const ACTIONS = {
  verify: VERIFY,
  'verify-and-save': VERIFY_AND_SAVE,
  'verify-and-commit': VERIFY_AND_COMMIT,
  commit: COMMIT,
  'reconcile-and-commit': RECONCILE_AND_COMMIT,
} as const;

/** Sends a pipeline; `commit` takes none. @throws SwitchError */
export async function setPipeline(
  connection: Connection,
  sender: Sender,
  action: PipelineAction,
  pipeline: Pipeline | undefined,
): Promise<void> {
  const request = new p4.SetForwardingPipelineConfigRequest({
    deviceId: String(sender.deviceId),
    role: sender.role,
    electionId: electionIdMessage(sender.electionId),
    action: ACTIONS[action],
  });
  if (pipeline !== undefined) request.config = configMessage(pipeline);
  const what = `pipeline configuration (${action})`;
  try {
    await connection.unary<p4.SetForwardingPipelineConfigResponse>(what, (options, callback) =>
      connection.stub.SetForwardingPipelineConfig(request, options, callback),
    );
  } catch (error) {
    throw connection.failure(what, error);
  }
}

/** Parts of the running program to ask for. */
export type PipelineParts = keyof typeof PARTS;

const { ALL, COOKIE_ONLY, P4INFO_AND_COOKIE, DEVICE_CONFIG_AND_COOKIE } =
  p4.GetForwardingPipelineConfigRequestResponseType;

const PARTS = {
  all: ALL,
  cookie: COOKIE_ONLY,
  p4info: P4INFO_AND_COOKIE,
  'device-config': DEVICE_CONFIG_AND_COOKIE,
} as const;

/** Asks for the running program, the cookie always included. @throws SwitchError */
export async function getPipeline(
  connection: Connection,
  deviceId: bigint,
  parts: PipelineParts = 'all',
): Promise<RunningPipeline> {
  const request = new p4.GetForwardingPipelineConfigRequest({
    deviceId: String(deviceId),
    responseType: PARTS[parts],
  });
  try {
    const response = await connection.unary<p4.GetForwardingPipelineConfigResponse>(
      'reading the pipeline configuration',
      (options, callback) =>
        connection.stub.GetForwardingPipelineConfig(request, options, callback),
    );
    return response.hasConfig ? runningPipeline(response.config) : {};
  } catch (error) {
    throw connection.failure('reading the pipeline configuration', error);
  }
}

function configMessage({ p4info, deviceConfig, cookie }: Pipeline): p4.ForwardingPipelineConfig {
  const config = new p4.ForwardingPipelineConfig({ p4info, p4DeviceConfig: deviceConfig });
  if (cookie !== undefined) {
    config.cookie = new p4.ForwardingPipelineConfigCookie({ cookie: String(cookie) });
  }
  return config;
}

function runningPipeline(config: p4.ForwardingPipelineConfig): RunningPipeline {
  return {
    ...(config.hasP4info && { p4info: config.p4info }),
    ...(config.p4DeviceConfig.length > 0 && { deviceConfig: config.p4DeviceConfig }),
    ...(config.hasCookie && { cookie: BigInt(config.cookie.cookie) }),
  };
}

/**
 * The cookie of a pipeline: its own, or else 64 bits of a hash over P4Info and device configuration,
 * so that equal pipelines have equal cookies.
 */
export function pipelineCookie({ cookie, p4info, deviceConfig }: Pipeline): bigint {
  if (cookie !== undefined) return cookie;
  const hash = createHash('sha256').update(p4info.serialize()).update(deviceConfig).digest();
  return hash.readBigUInt64BE(0);
}

/** The pipeline of a program that p4c has compiled: BMv2 JSON, and P4Info in its JSON form. */
export function compiledPipeline(program: {
  readonly deviceConfig: string;
  readonly p4info: string;
}): Pipeline {
  return {
    p4info: parseP4Info(Buffer.from(program.p4info), 'json'),
    deviceConfig: Uint8Array.from(Buffer.from(program.deviceConfig)),
  };
}

/**
 * Reads P4Info, in the form that its suffix tells, and BMv2 JSON.
 * @throws InputError naming the file.
 */
export async function loadPipeline(
  p4infoFile: string,
  deviceConfigFile: string,
): Promise<Pipeline> {
  const p4info = await loadP4Info(p4infoFile);
  return { p4info, deviceConfig: await readFile(deviceConfigFile) };
}

/** Reads P4Info in the form that its suffix tells. @throws InputError naming the file. */
export async function loadP4Info(file: string): Promise<P4Info> {
  const content = await readFile(file);
  return withPlace(file, () => parseP4Info(content, p4InfoFormatOf(file)));
}

async function readFile(name: string): Promise<Uint8Array> {
  try {
    return Uint8Array.from(await fs.readFile(name));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InputError(`cannot read ${name}: ${code ?? String(error)}`);
  }
}
