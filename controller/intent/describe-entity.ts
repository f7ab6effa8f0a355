export { describeEntity, describeUpdate } from '../entities/describe';
