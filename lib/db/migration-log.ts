/** How a migration reports what it does, for those that take minutes on a large database. */

export type Progress = (step: string) => void;

export interface MigrationLog {
	info(data: object, message: string): void;
	warn(data: object, message: string): void;
}
