import type { SourcePathsOf } from '../../host-agent/io/live/open-host';
import type { Settings } from '../../host-agent/settings/settings';

/**
 * The paths of a host that writes them into its packets; undefined where switches choose.
 * @throws InputError for a document without such paths.
 */
export async function sourcePathsOf({
  sourceRouting,
}: Settings): Promise<SourcePathsOf | undefined> {
  if (sourceRouting === undefined) return undefined;
  // PERF: hosts whose switches choose start without all that reads the document of a network.
  const { readSourcePaths } = await import('../../controller/io/source-paths.js');
  return await readSourcePaths(sourceRouting);
}
