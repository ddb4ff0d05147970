/** The applications that may ask. */
import type { Application } from '../../clients/application.js';

/** Keeps applications, in force or revoked. */
export interface ApplicationStore {
  /**
   * Records an application, or changes what is known of it; when it was registered stays, and one that is revoked stays so. `updatedAt`
   * stays as well where nothing changes.
   */
  recordApplication(application: Application): Promise<void>;

  /** Records an application unless one of its id is known, in force or revoked; tells whether it was. Of several at once, one is. */
  registerApplication(application: Application): Promise<boolean>;

  findApplication(clientId: string): Promise<Application | undefined>;

  /** Whether an application in force has a redirect URI of this origin, compared as strings. */
  isRegisteredOrigin(origin: string): Promise<boolean>;

  /** Every application, by client id in code-unit order. */
  listApplications(): Promise<readonly Application[]>;
}
