import { readSourcePaths } from '../../controller/io/source-paths';
import type { SourcePathsOf } from '../../host-agent/io/live/open-host';
import type { Settings } from '../../host-agent/settings/settings';

/**
 * The paths of a host that writes them into its packets; undefined where switches choose.
 * @throws InputError for a document without such paths.
 */
export async function sourcePathsOf({
  sourceRouting,
}: Settings): Promise<SourcePathsOf | undefined> {
  return sourceRouting === undefined ? undefined : await readSourcePaths(sourceRouting);
}
