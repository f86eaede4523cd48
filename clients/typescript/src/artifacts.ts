// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

import type {
  ArtifactVersion, BaseArtifactService, DeleteArtifactRequest, ListArtifactKeysRequest, ListVersionsRequest,
  LoadArtifactRequest, SaveArtifactRequest,
} from '@google/adk';
import { Client, retryKey, type AgentSessionsOptions, type Answer, type Request } from './client.js';
import { isCode } from './errors.js';
import { name, sessionsPath, toJson } from './values.js';

/** What ADK stores as an artifact. */
type Part = SaveArtifactRequest['artifact'];

type Place = ListArtifactKeysRequest;

/** Keeps the files that agents save in Agent Sessions: versions 0, 1, 2 of a name, of a session or (`user:`) a user. */
export class AgentSessionArtifactService implements BaseArtifactService {
  private readonly client: Client;

  constructor(options: Omit<AgentSessionsOptions, 'checkStale' | 'view'> = {}) {
    this.client = new Client(options);
  }

  /**
   * Saves a version and returns its number. Creates the session if there is none, because ADK's artifact services need
   * none. A retry after a lost response saves nothing twice.
   */
  async saveArtifact(request: SaveArtifactRequest): Promise<number> {
    const key = retryKey();
    try {
      return await this.save(request, key);
    } catch (error) {
      if (!isCode(error, 'SESSION_NOT_FOUND')) throw error;
      await this.createSession(request);
      return this.save(request, key);
    }
  }

  private async save(
    { filename, artifact, customMetadata, ...place }: SaveArtifactRequest, key: Record<string, string>,
  ): Promise<number> {
    const answer = artifact.inlineData?.data !== undefined
      ? await this.send(place, 'PUT', `/${name(filename)}`, raw(artifact, key, customMetadata))
      : await this.send(place, 'POST', '', { body: toJson({ filename, artifact, customMetadata }), headers: key });
    return (JSON.parse(answer.body) as ArtifactVersion).version;
  }

  private async createSession({ appName, userId, sessionId }: Place): Promise<void> {
    try {
      const request = { body: toJson({ sessionId }), headers: retryKey() };
      await this.client.send(userId, 'POST', sessionsPath(appName, userId), request);
    } catch (error) {
      if (!isCode(error, 'ALREADY_EXISTS')) throw error;
    }
  }

  /** Returns the newest or another version, or what it refers to; `undefined` if there is none. */
  async loadArtifact({ filename, version, ...place }: LoadArtifactRequest): Promise<Part | undefined> {
    return this.findVersion<Part>(place, filename, version);
  }

  /** Returns the names of the artifacts of the session and of the user, those of the user with `user:`. */
  async listArtifactKeys(place: ListArtifactKeysRequest): Promise<string[]> {
    return (await this.find<string[]>(place, '')) ?? [];
  }

  /** Deletes all versions of an artifact. */
  async deleteArtifact({ filename, ...place }: DeleteArtifactRequest): Promise<void> {
    try {
      await this.send(place, 'DELETE', `/${name(filename)}`);
    } catch (error) {
      if (!isCode(error, 'SESSION_NOT_FOUND')) throw error;
    }
  }

  async listVersions({ filename, ...place }: ListVersionsRequest): Promise<number[]> {
    return (await this.find<number[]>(place, `/${name(filename)}/versions`)) ?? [];
  }

  async listArtifactVersions({ filename, ...place }: ListVersionsRequest): Promise<ArtifactVersion[]> {
    return (await this.find<ArtifactVersion[]>(place, `/${name(filename)}/versions/metadata`)) ?? [];
  }

  /** Returns the metadata of the newest or another version; `undefined` if there is none. */
  async getArtifactVersion({ filename, version, ...place }: LoadArtifactRequest): Promise<ArtifactVersion | undefined> {
    return this.findVersion<ArtifactVersion>(place, filename, version, '/metadata');
  }

  private async findVersion<T>(place: Place, filename: string, version?: number, below = ''): Promise<T | undefined> {
    // No artifact has a version with such a number, and the service refuses a request for it
    if (version != null && !(Number.isInteger(version) && version >= 0 && version < 2 ** 31)) return undefined;
    return this.find<T>(place, `/${name(filename)}/versions/${version ?? 'latest'}${below}`);
  }

  private async find<T>(place: Place, path: string): Promise<T | undefined> {
    try {
      return JSON.parse((await this.send(place, 'GET', path)).body) as T;
    } catch (error) {
      if (isCode(error, 'SESSION_NOT_FOUND', 'ARTIFACT_NOT_FOUND')) return undefined;
      throw error;
    }
  }

  private send({ appName, userId, sessionId }: Place, method: string, path: string, request?: Request): Promise<Answer> {
    return this.client.send(userId, method, `${sessionsPath(appName, userId, sessionId)}/artifacts${path}`, request);
  }
}

/** Raw bytes may be larger than a JSON body. */
function raw({ inlineData }: Part, key: Record<string, string>, customMetadata?: Record<string, unknown>): Request {
  return {
    query: new URLSearchParams(inlineData?.displayName ? { displayName: inlineData.displayName } : {}),
    body: Buffer.from(inlineData?.data ?? '', 'base64'),
    headers: {
      ...key,
      'Content-Type': inlineData?.mimeType ?? 'application/octet-stream',
      ...(customMetadata && { 'X-Custom-Metadata': encodeURIComponent(toJson(customMetadata)) }),
    },
  };
}
