import { unreachable } from '../../../common/assert';
import { RpcError } from '../../../common/p4runtime/codes';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { DigestInfo } from '../../../common/p4runtime/p4info-externs';
import { objectOf, objectsOf } from './array-index';
import type { DigestConfig, RunningPipeline } from '../state/running-pipeline';
import type { UpdateType } from '../errors/update-rules';

/**
 * Enables, configures or disables a digest (P4Runtime 1.5.0, section "DigestEntry").
 * @throws RpcError
 */
export function writeDigest(
  { info: objects, digests }: RunningPipeline,
  type: UpdateType,
  entry: p4.DigestEntry,
): void {
  const info = objectOf(objects.digests, entry.digestId);
  const where = `digest '${info.name}'`;
  const isEnabled = digests.settings(info.id) !== undefined;
  if (type === 'insert' && isEnabled) throw new RpcError('ALREADY_EXISTS', `${where} is enabled`);
  if (type !== 'insert' && !isEnabled) throw new RpcError('NOT_FOUND', `${where} is not enabled`);
  switch (type) {
    case 'insert':
    case 'modify':
      refuseUnsupported(info, where);
      digests.configure(info, decodeConfig(entry, where));
      return;
    case 'delete':
      digests.disable(info.id);
      return;
    default:
      return unreachable(type);
  }
}

/** The enabled digests that the filter means. @throws RpcError */
export function readDigests(
  { info: objects, digests }: RunningPipeline,
  filter: p4.DigestEntry,
): p4.DigestEntry[] {
  return objectsOf(objects.digests, filter.digestId).flatMap((info) => {
    const settings = digests.settings(info.id);
    if (settings === undefined) return [];
    const config = new p4.DigestEntryConfig({
      maxTimeoutNs: String(settings.maxTimeoutNs),
      maxListSize: settings.maxListSize,
      ackTimeoutNs: String(settings.ackTimeoutNs),
    });
    return [new p4.DigestEntry({ digestId: info.id, config })];
  });
}

/** An unset config means all defaults: no buffering, no limit, no acknowledgements. */
function decodeConfig(entry: p4.DigestEntry, where: string): DigestConfig {
  const { maxTimeoutNs, maxListSize, ackTimeoutNs } = entry.hasConfig
    ? entry.config
    : new p4.DigestEntryConfig({});
  const config = {
    maxTimeoutNs: BigInt(maxTimeoutNs),
    maxListSize,
    ackTimeoutNs: BigInt(ackTimeoutNs),
  };
  if (config.maxTimeoutNs < 0n || config.ackTimeoutNs < 0n || maxListSize < 0) {
    throw new RpcError('INVALID_ARGUMENT', `${where}: times and sizes are not negative`);
  }
  return config;
}

function refuseUnsupported({ dataType }: DigestInfo, where: string): void {
  if (dataType.kind !== 'unsupported') return;
  throw new RpcError('UNIMPLEMENTED', `${where}: it carries ${dataType.what}`);
}
