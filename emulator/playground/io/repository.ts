/**
 * Stands for `common/io/repository` in the playground's bundle: version and commit are those of the build, so
 * that a run here has the same result, byte for byte, as one of the same checkout on Node.
 */
declare const HPCC_VERSION: string;
declare const HPCC_COMMIT: string;

/** The folder above the files that the page gives. */
export const repositoryRoot = (): string => '/';

export const projectVersion = (): string => HPCC_VERSION;

export const currentCommit = (): string => HPCC_COMMIT;
