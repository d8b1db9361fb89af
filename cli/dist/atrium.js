#!/usr/bin/env node
import { createReadStream, fstatSync, openAsBlob } from "node:fs";
import { text } from "node:stream/consumers";
import { parseArgs, styleText } from "node:util";
import { chmod, mkdir, open, opendir, readFile, rename, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join, resolve, sep } from "node:path";
import { setTimeout as setTimeout$1 } from "node:timers/promises";
import { createHash, createHmac, randomBytes } from "node:crypto";
// \0rolldown/runtime.js
var __create = Object.create;
var __defProp = Object.defineProperty;
var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __getProtoOf = Object.getPrototypeOf;
var __hasOwnProp = Object.prototype.hasOwnProperty;
var __commonJSMin = (cb, mod) => () => (mod || (cb((mod = { exports: {} }).exports, mod, mod.exports), cb = null), mod.exports);
var __copyProps = (to, from, except, desc) => {
	if (from && typeof from === "object" || typeof from === "function") for (var keys = __getOwnPropNames(from), i = 0, n = keys.length, key; i < n; i++) {
		key = keys[i];
		if (!__hasOwnProp.call(to, key) && key !== except) __defProp(to, key, {
			get: ((k) => from[k]).bind(null, key),
			enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable
		});
	}
	return to;
};
var __toESM = (mod, isNodeMode, target) => (target = mod != null ? __create(__getProtoOf(mod)) : {}, __copyProps(isNodeMode || !mod || !mod.__esModule || !__hasOwnProp.call(mod, "default") ? __defProp(target, "default", {
	value: mod,
	enumerable: true
}) : target, mod));
// ../sdk/src/transport/calls.ts
/** A path in which every inserted id is one segment, whatever characters it has. */
function path(strings, ...ids) {
	return strings.map((text, index) => text + (index < ids.length ? segment(ids[index] ?? "") : "")).join("");
}
function segment(id) {
	if (id === "") throw new TypeError("An id is empty");
	return encodeURIComponent(id);
}
/** Sends a call and answers the `data` of its reply. */
async function call(transport, outgoing, options) {
	const { data } = await transport.send(outgoing, options);
	return data;
}
var get = (transport, at, options) => call(transport, {
	method: "GET",
	path: at
}, options);
var post = (transport, at, body, options) => call(transport, {
	method: "POST",
	path: at,
	body
}, options);
var patch = (transport, at, body, options) => call(transport, {
	method: "PATCH",
	path: at,
	body
}, options);
async function remove(transport, at, options, query = {}) {
	await transport.send({
		method: "DELETE",
		path: at,
		query
	}, options);
}
var removeOrErase = (transport, at, { erase = false, ...options } = {}) => remove(transport, at, options, erase ? { erase } : {});
/** What deleting would do; nothing is changed. */
var previewRemove = (transport, at, options, query = {}) => preview$1(transport, {
	method: "DELETE",
	path: at,
	query
}, options);
/** What a `post` would do; nothing is changed. */
var previewPost = (transport, at, body, options) => preview$1(transport, {
	method: "POST",
	path: at,
	body
}, options);
async function preview$1(transport, outgoing, options) {
	const dryRun = {
		...outgoing,
		query: {
			...outgoing.query,
			dryRun: true
		}
	};
	const { data } = await transport.send(dryRun, options);
	return data.effects;
}
// ../sdk/src/transport/errors.ts
/** Everything that this package throws, besides the reason of your own `signal`. */
var AtriumError = class extends Error {
	name = "AtriumError";
};
/** The server was not reached, or the connection broke before its reply was there. */
var ConnectionError = class extends AtriumError {
	name = "ConnectionError";
};
/** What was asked for has still the ETag that `ifNoneMatch` named: go on with what you have. */
var NotModifiedError = class extends AtriumError {
	name = "NotModifiedError";
};
/** No reply within `timeoutMs`, or what was waited for did not happen in time. */
var TimeoutError = class extends AtriumError {
	name = "TimeoutError";
};
/** The document that was waited for could not be processed; `code` says why. */
var DocumentFailedError = class extends AtriumError {
	name = "DocumentFailedError";
	documentId;
	code;
	constructor(documentId, failure) {
		super(`${documentId} failed: ${failure.message}`);
		this.documentId = documentId;
		this.code = failure.code;
	}
};
/** The API answered with an error. `code` is a word of a closed list, `requestId` is what to quote when asking for help. */
var ApiError = class extends AtriumError {
	name = "ApiError";
	statusCode;
	code;
	/** One entry for each invalid field; empty if no field is to blame. */
	errors;
	/** Ids, numbers and states that the message names; `is` gives them their types. */
	details;
	requestId;
	/** Whether the same call may succeed later. The client has then already tried it `maxRetries` times. */
	retryable;
	/** How long the server asks to wait; null if it does not say. */
	retryAfterMs;
	constructor(body, retryAfterMs) {
		super(summaryOf(body));
		this.statusCode = body.statusCode;
		this.code = body.code;
		this.errors = body.errors;
		this.details = body.details;
		this.requestId = body.requestId;
		this.retryable = body.retryable;
		this.retryAfterMs = retryAfterMs;
	}
	/** Whether it has this code: `if (error.is('conversation_busy')) await runs.wait(error.details.runId)`. */
	is(code) {
		return this.code === code;
	}
};
/** 400: `errors` names each invalid field. */
var ValidationError = class extends ApiError {
	name = "ValidationError";
};
/** 401: the key is missing, unknown, revoked or expired. */
var AuthenticationError = class extends ApiError {
	name = "AuthenticationError";
};
/** 403: the key lacks a permission, or the plan does not reach that far. */
var PermissionError = class extends ApiError {
	name = "PermissionError";
};
/** 404: it does not exist, or not for this key. */
var NotFoundError = class extends ApiError {
	name = "NotFoundError";
};
/** 409: the request conflicts with the current state. */
var ConflictError = class extends ApiError {
	name = "ConflictError";
};
/** 412: the record has changed since the ETag in `ifMatch` was read. */
var PreconditionError = class extends ApiError {
	name = "PreconditionError";
};
/** 413: larger than the plan allows; the message names the limit. */
var TooLargeError = class extends ApiError {
	name = "TooLargeError";
};
/** 415: not a type of file that is taken; the message lists those that are. */
var UnsupportedTypeError = class extends ApiError {
	name = "UnsupportedTypeError";
};
/** 422: well formed, but it cannot be done, such as an idempotency key that was used for another request. */
var UnprocessableError = class extends ApiError {
	name = "UnprocessableError";
};
/** 429: over the plan's requests a minute, or its runs at once. */
var RateLimitError = class extends ApiError {
	name = "RateLimitError";
};
/** 5xx: the server failed or is not available. */
var ServerError = class extends ApiError {
	name = "ServerError";
};
var classes = {
	400: ValidationError,
	401: AuthenticationError,
	403: PermissionError,
	404: NotFoundError,
	409: ConflictError,
	412: PreconditionError,
	413: TooLargeError,
	415: UnsupportedTypeError,
	422: UnprocessableError,
	429: RateLimitError
};
/** The error for a reply, of the class that belongs to its status. */
function apiErrorOf(body, retryAfterMs) {
	return new (classes[body.statusCode] ?? (body.statusCode >= 500 ? ServerError : ApiError))(body, retryAfterMs);
}
/** `Validation failed (prompt: is required)`: what a log line should say without further digging. */
function summaryOf({ message, errors }) {
	if (errors.length === 0) return message;
	return `${message} (${errors.map((error) => `${error.field}: ${error.message}`).join("; ")})`;
}
// ../sdk/src/transport/retry.ts
/** When a call is tried again, and after how long. */
/** A call waits no longer than this. Beyond it, the error is thrown, with the wait that the server asked for. */
var maxRetryAfterMs = 6e4;
var firstDelayMs = 500;
var maxDelayMs = 8e3;
/** Statuses of a proxy in between that speak of a passing fault; Atrium's own replies say `retryable` themselves. */
var passingStatuses = /* @__PURE__ */ new Set([
	408,
	429,
	502,
	503,
	504
]);
var isPassingStatus = (status) => passingStatuses.has(status);
/**
* The pause before the next attempt (`attempt` counts from 0), in milliseconds: what the server asks for, else
* twice as long each time, spread out so that many clients do not return at once. Null if it is too long to wait.
*/
function delayBeforeRetry(attempt, retryAfterMs, random = Math.random) {
	if (retryAfterMs !== null) return retryAfterMs <= maxRetryAfterMs ? retryAfterMs : null;
	return Math.min(maxDelayMs, firstDelayMs * 2 ** attempt) * (.5 + random() / 2);
}
/** A `Retry-After` header, which holds seconds or a date, in milliseconds from `now`; null if it says neither. */
function parseRetryAfter(header, now) {
	if (header === null || header.trim() === "") return null;
	const seconds = Number(header);
	if (Number.isFinite(seconds)) return seconds >= 0 ? seconds * 1e3 : null;
	const date = Date.parse(header);
	return Number.isNaN(date) ? null : Math.max(0, date - now);
}
/** Resolves after `delayMs`; rejects with the signal's reason as soon as that aborts. */
function pause(delayMs, signal) {
	return new Promise((resolve, reject) => {
		const stop = () => {
			clearTimeout(timer);
			reject(signal?.reason);
		};
		const timer = setTimeout(() => {
			signal?.removeEventListener("abort", stop);
			resolve();
		}, delayMs);
		if (signal?.aborted) stop();
		else signal?.addEventListener("abort", stop, { once: true });
	});
}
// ../sdk/src/transport/download.ts
/** A file that goes on where its connection broke, instead of beginning again. */
/** How often in a row a broken connection is taken up again without a byte in between. */
var usualMaxRetries = 10;
/**
* The reply, whose body asks for the rest of the file (`Range`) whenever the connection breaks, as long as it is the same
* file (`If-Range`). A reply whose parts cannot be asked for is returned as it is.
*/
async function download(transport, outgoing, options = {}) {
	const first = await transport.open(outgoing, options);
	const { status, statusText, headers } = first;
	const etag = headers.get("etag");
	const length = Number(headers.get("content-length"));
	const hasParts = headers.get("accept-ranges") === "bytes" && !headers.has("content-encoding") && length > 0;
	if (first.body === null || etag === null || !hasParts) return first;
	const { signal, maxRetries = usualMaxRetries } = options;
	let reader = first.body.getReader();
	let received = 0;
	let failures = 0;
	const readOn = async (error) => {
		signal?.throwIfAborted();
		const delayMs = failures < maxRetries ? delayBeforeRetry(failures, null) : null;
		failures += 1;
		if (delayMs === null) throw new ConnectionError(`The connection broke after ${received} bytes`, { cause: error });
		await pause(delayMs, signal);
		const range = {
			range: `bytes=${received}-`,
			"if-range": etag
		};
		const rest = await transport.open({
			...outgoing,
			headers: {
				...outgoing.headers,
				...range
			}
		}, options);
		if (rest.status !== 206 || rest.body === null) {
			await rest.body?.cancel();
			throw new ConnectionError("The file has changed while it was downloaded", { cause: error });
		}
		reader = rest.body.getReader();
	};
	const body = new ReadableStream({
		async pull(controller) {
			while (true) try {
				const { done, value } = await reader.read();
				if (!done) {
					received += value.byteLength;
					failures = 0;
					return controller.enqueue(value);
				}
				if (received >= length) return controller.close();
				throw new TypeError("The body ended before the file");
			} catch (error) {
				if (received >= length) return controller.close();
				await readOn(error);
			}
		},
		cancel: (reason) => reader.cancel(reason)
	});
	return new Response(body, {
		status,
		statusText,
		headers
	});
}
// ../sdk/src/transport/list.ts
var longestPage = 100;
/**
* A list in the order of its ids, or of its `sort`: it is walked from item to item, at constant cost and to any depth, and
* stays right while records are added. `page` and `pageSize` matter to `page()` only.
*/
function listOf(transport, path, query, options) {
	const load = (part) => loadPage(transport, path, {
		...query,
		...part
	}, options);
	return {
		page: () => load({}),
		async *[Symbol.asyncIterator]() {
			const from = (after) => load({
				page: void 0,
				pageSize: longestPage,
				after
			});
			let current = await from(query.after);
			while (true) {
				const { items } = current;
				yield* items.slice(0, -1);
				const last = items.at(-1);
				if (last === void 0) return;
				const cursor = current.next === void 0 ? items.length < longestPage ? null : last.id : current.next;
				const next = cursor === null ? null : await from(cursor);
				yield last;
				if (next === null) return;
				current = next;
			}
		}
	};
}
/** A list in an order of its own, such as a ranking: it is walked page by page. */
function rankedListOf(transport, path, query, options) {
	const load = (part) => loadPage(transport, path, {
		...query,
		...part
	}, options);
	return {
		page: () => load({}),
		async *[Symbol.asyncIterator]() {
			for (let page = 1, seen = 0;; page++) {
				const { items, total } = await load({ page });
				yield* items;
				seen += items.length;
				if (items.length === 0 || seen >= total) return;
			}
		}
	};
}
async function loadPage(transport, path, query, options) {
	const { data, meta } = await transport.send({
		method: "GET",
		path,
		query
	}, options);
	if (!Array.isArray(data) || meta === null) throw new TypeError(`GET ${path} did not answer a list`);
	return {
		...meta,
		items: data
	};
}
// ../sdk/src/transport/upload.ts
/** Fields that are `undefined` are left out; objects are sent as JSON. */
function formOf(fields, fileField, file) {
	const { content } = file;
	return content instanceof ReadableStream ? streamedForm(textsOf(fields), fileField, {
		...file,
		content
	}) : formOfFiles(fields, fileField, [{
		...file,
		content
	}]);
}
/** The same with many files, none of them a stream. */
function formOfFiles(fields, fileField, files) {
	const open = () => {
		const form = new FormData();
		for (const [name, value] of textsOf(fields)) form.append(name, value);
		for (const { name, content, mediaType } of files) {
			const blob = content instanceof Blob ? content : new Blob([content]);
			form.append(fileField, withType(blob, mediaType), name);
		}
		return form;
	};
	return {
		open,
		headers: {},
		repeatable: true
	};
}
var textsOf = (fields) => Object.entries(fields).filter(([, value]) => value !== void 0).map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]);
var withType = (blob, mediaType) => mediaType === void 0 || blob.type === mediaType ? blob : blob.slice(0, blob.size, mediaType);
/** `FormData` wants the whole file in hand; this passes on a stream of any length. */
function streamedForm(texts, fileField, file) {
	const boundary = `atrium-${crypto.getRandomValues(/* @__PURE__ */ new Uint32Array(4)).join("-")}`;
	const encoder = new TextEncoder();
	const head = texts.map(([name, value]) => `${partHead(boundary, name)}\r\n${value}\r\n`).join("");
	const fileHead = `${partHead(boundary, fileField, file.name)}content-type: ${file.mediaType ?? "application/octet-stream"}\r\n\r\n`;
	const frame = new TransformStream({
		start: (controller) => controller.enqueue(encoder.encode(head + fileHead)),
		flush: (controller) => controller.enqueue(encoder.encode(`\r\n--${boundary}--\r\n`))
	});
	return {
		open: () => file.content.pipeThrough(frame),
		headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
		repeatable: false
	};
}
function partHead(boundary, name, fileName) {
	const file = fileName === void 0 ? "" : `; filename="${escapeQuoted(fileName)}"`;
	return `--${boundary}\r\ncontent-disposition: form-data; name="${escapeQuoted(name)}"${file}\r\n`;
}
/** As browsers do it: a quote or a line break in a name must not end the header. */
var escapeQuoted = (text) => text.replaceAll("\"", "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
// ../sdk/src/transport/wait-until.ts
/** Waiting for a record: the server holds each call open, so there is no pause between two of them. */
/** Resolves with the record once it is over. `read` asks for it with these headers. Throws `TimeoutError`. */
async function waitUntil(read, { isOver, heldSeconds, timeoutMs }) {
	const deadline = Date.now() + timeoutMs;
	while (true) {
		const leftMs = deadline - Date.now();
		const found = await read({ prefer: `wait=${Math.max(0, Math.min(heldSeconds, Math.floor(leftMs / 1e3)))}` });
		if (isOver(found)) return found;
		if (Date.now() >= deadline) throw new TimeoutError(`${found.id} is still ${found.status} after ${timeoutMs} ms`);
	}
}
// ../sdk/src/without-undefined.ts
/**
* The object without its fields that are `undefined`. `T` is the type that is expected at the call, never the type of
* the argument: so fields that `T` does not know are errors, as they are in a literal.
*/
var withoutUndefined = (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== void 0));
// ../sdk/src/documents.ts
/** Documents: uploaded, waited for, read back. */
var uploadTimeoutMs$1 = 9e5;
var createDocuments = (transport) => ({
	...createIntake(transport),
	list: (query = {}, options) => listOf(transport, "/knowledge/documents", withFilterText(query), options),
	get: (id, options) => get(transport, path`/knowledge/documents/${id}`, options),
	/** Resolves once the file is stored safely; `waitUntilReady` waits for the rest. */
	upload: (document, options = {}) => call(transport, {
		method: "POST",
		path: "/knowledge/documents",
		...bodyOf$1(document)
	}, {
		timeoutMs: uploadTimeoutMs$1,
		...options
	}),
	/**
	* Makes the document with this external id what it is sent as. Unchanged content is left alone; changed content
	* becomes a new version, and the present one is found until that is ready.
	*/
	put: ({ collectionId, externalId, ...document }, { mustBeNew = false, ...options } = {}) => call(transport, withoutUndefined({
		method: "PUT",
		path: path`/knowledge/collections/${collectionId}/documents/${externalId}`,
		...bodyOf$1(document),
		headers: mustBeNew ? { "if-none-match": "*" } : void 0
	}), {
		timeoutMs: uploadTimeoutMs$1,
		...options
	}),
	getByExternalId: (collectionId, externalId, options) => get(transport, path`/knowledge/collections/${collectionId}/documents/${externalId}`, options),
	deleteByExternalId: (collectionId, externalId, removal) => removeOrErase(transport, path`/knowledge/collections/${collectionId}/documents/${externalId}`, removal),
	/** Title, metadata and external id; the content is changed by `put`. */
	update: (id, change, options) => patch(transport, path`/knowledge/documents/${id}`, change, options),
	updateByExternalId: (collectionId, externalId, change, options) => patch(transport, path`/knowledge/collections/${collectionId}/documents/${externalId}`, change, options),
	versions: createVersions(transport),
	/** Resolves with the document once it can be found. Throws `DocumentFailedError` or `TimeoutError`. */
	waitUntilReady: (id, options = {}) => waitUntilReady(transport, id, options),
	/** Its passages, in the order of its text. */
	chunks: (id, query = {}, options) => listOf(transport, path`/knowledge/documents/${id}/chunks`, query, options),
	/** The extracted text, whole or from code point `from` to `to`; at most 100,000 code points at a time. */
	content: (id, range = {}, options) => call(transport, {
		method: "GET",
		path: path`/knowledge/documents/${id}/content`,
		query: range
	}, options),
	/**
	* The file as it was uploaded, of the latest version unless another is asked for; read its `body`, `blob()` or
	* `arrayBuffer()`. A connection that breaks meanwhile is taken up again where it broke.
	*/
	original: (id, query = {}, options) => download(transport, {
		method: "GET",
		path: path`/knowledge/documents/${id}/original`,
		query
	}, options),
	/** Queues a failed document again: the server reads its stored file a second time. */
	retry: (id, options) => post(transport, path`/knowledge/documents/${id}/retry`, void 0, options),
	/** Makes a new version of the same file, read by the server as it is now; the present one is found until that is ready. */
	reprocess: (id, options) => post(transport, path`/knowledge/documents/${id}/reprocess`, void 0, options),
	/** Queues all failed documents again, or those of a collection or with given error codes; returns how many. */
	retryFailed: (which = {}, options) => post(transport, "/knowledge/documents/retry", which, options),
	/** What `retryFailed` would do; nothing is changed. */
	previewRetryFailed: (which = {}, options) => previewPost(transport, "/knowledge/documents/retry", which, options),
	/** Into the trash, or with `erase` for good. */
	delete: (id, removal) => removeOrErase(transport, path`/knowledge/documents/${id}`, removal),
	previewDelete: (id, options) => previewRemove(transport, path`/knowledge/documents/${id}`, options)
});
/** A text goes as JSON, a file as a form. */
var bodyOf$1 = ({ file, ...fields }) => file === void 0 ? { body: fields } : { form: formOf(fields, "file", file) };
async function waitUntilReady(transport, id, { timeoutMs = 3e5, signal, onProgress }) {
	const at = path`/knowledge/documents/${id}`;
	const read = async (headers) => {
		const document = await call(transport, {
			method: "GET",
			path: at,
			headers
		}, { signal });
		onProgress?.(document);
		return document;
	};
	const isOver = ({ status }) => status === "ready" || status === "failed";
	const document = await waitUntil(read, {
		isOver,
		heldSeconds: 20,
		timeoutMs
	});
	if (document.status === "ready") return document;
	throw new DocumentFailedError(id, document.error ?? {
		code: "unknown",
		message: "no reason was given"
	});
}
var createVersions = (transport) => ({
	/** The latest version, then those that it replaced. */
	list: (documentId, query = {}, options) => rankedListOf(transport, path`/knowledge/documents/${documentId}/versions`, query, options),
	get: (documentId, version, options) => get(transport, path`/knowledge/documents/${documentId}/versions/${String(version)}`, options),
	/** Makes a new version of the content that an earlier one has; returns the document. */
	restore: (documentId, version, options) => post(transport, path`/knowledge/documents/${documentId}/versions/${String(version)}/restore`, void 0, options)
});
var createIntake = (transport) => {
	const send = (documents, dryRun, options) => call(transport, {
		method: "POST",
		path: "/knowledge/documents/batch",
		form: formOfMany(documents),
		query: dryRun ? { dryRun } : void 0
	}, {
		timeoutMs: uploadTimeoutMs$1,
		...options
	});
	return {
		/** Returns what became of each file; one that cannot be taken never costs another. */
		uploadMany: (documents, options) => send(documents, false, options),
		/** The same outcomes, and nothing is taken. */
		previewUploadMany: (documents, options) => send(documents, true, options),
		/** The server fetches the file; with an `externalId` the document that has it is brought up to date. */
		uploadFromUrl: (document, options) => post(transport, "/knowledge/documents/from-url", document, {
			timeoutMs: uploadTimeoutMs$1,
			...options
		})
	};
};
var formOfMany = ({ files, ...fields }) => formOfFiles(fields, "file", files);
/** The query as it is sent. */
var withFilterText = ({ filter, ...rest }) => ({
	...rest,
	filter: filter === void 0 ? void 0 : typeof filter === "string" ? filter : JSON.stringify(filter)
});
// ../sdk/src/functions.ts
/** Functions of the caller's own program: named to the model with a run, carried out here, and answered. */
/** The request without what only this program knows. */
function bodyOf({ tools = {}, ...body }) {
	const named = Object.entries(tools).flatMap(([name, { description, schema }]) => schema === void 0 ? [] : [withoutUndefined({
		name,
		description,
		inputSchema: schema
	})]);
	return named.length === 0 ? body : {
		...body,
		functions: [...body.functions ?? [], ...named]
	};
}
/**
* Returns a function that carries out the calls for which a run waits, at the same time and each once, and sends their
* results. It answers whether there were any.
*/
function createAnswering(transport, tools, { signal = new AbortController().signal, timeoutMs }) {
	const begun = /* @__PURE__ */ new Set();
	async function answer(call, run) {
		const result = await resultOf(call, run, signal);
		signal.throwIfAborted();
		await post(transport, path`/runs/${call.runId}/tool-results`, { results: [result] }, {
			signal,
			timeoutMs
		});
	}
	return async ({ pendingToolCalls }) => {
		const work = [];
		for (const call of pendingToolCalls) {
			const known = Object.hasOwn(tools, call.name) ? tools[call.name] : void 0;
			if (known === void 0 || begun.has(idOf$1(call))) continue;
			begun.add(idOf$1(call));
			work.push(answer(call, known.run));
		}
		await untilAborted(Promise.all(work), signal);
		return work.length > 0;
	};
}
var idOf$1 = ({ runId, toolCallId }) => `${runId} ${toolCallId}`;
/** Whether a run waits for nothing that it did not wait for then. */
function isSameWait(before, now) {
	const known = new Set([...before.pendingToolCalls, ...before.pendingApprovals].map(idOf$1));
	const pending = [...now.pendingToolCalls, ...now.pendingApprovals];
	return now.status === "waiting" && pending.every((call) => known.has(idOf$1(call)));
}
/** The server's limits, so that the model learns of a result that it cannot be given. */
var mostCharacters = 6e4;
var mostErrorCharacters = 2e3;
async function resultOf({ runId, toolCallId, input }, run, signal) {
	try {
		const output = await run(input, {
			runId,
			toolCallId,
			signal
		}) ?? null;
		const json = JSON.stringify(output);
		if (json === void 0) throw new TypeError("The result of the function is not JSON");
		if (json.length > mostCharacters) throw new RangeError(`The result has ${json.length} characters, of at most ${mostCharacters}`);
		return {
			toolCallId,
			output
		};
	} catch (error) {
		return {
			toolCallId,
			error: (error instanceof Error ? error.message : String(error)).slice(0, mostErrorCharacters) || "The function failed"
		};
	}
}
/** A function that does not look at its signal must not hold up the program. */
async function untilAborted(work, signal) {
	signal.throwIfAborted();
	const over = new AbortController();
	const aborted = new Promise((_, reject) => {
		signal.addEventListener("abort", () => reject(signal.reason), {
			once: true,
			signal: over.signal
		});
	});
	try {
		return await Promise.race([work, aborted]);
	} finally {
		over.abort();
	}
}
// ../sdk/src/run-events.ts
/** A run as its events come: a connection that breaks is taken up again where it broke. */
/** How often in a row a stream is opened that says nothing new. */
var mostFruitlessTries = 5;
/**
* Runs an agent and yields what happens until the run has ended or waits for what `tools` do not answer. Leaving the
* loop does not stop the run.
*/
async function* streamRun(transport, agentId, run, options = {}) {
	const start = {
		method: "POST",
		path: path`/agents/${agentId}/run`,
		body: bodyOf(run),
		headers: asEvents
	};
	const response = await transport.open(start, options);
	const runId = response.headers.get("location")?.split("/").at(-1) ?? "";
	const answer = createAnswering(transport, run.tools ?? {}, options);
	let events = goOn(transport, runId, {
		...options,
		lastEventId: void 0,
		response
	});
	for (;;) {
		let last;
		for await (const event of events) {
			last = event;
			yield event;
		}
		if (last?.type !== "run.waiting" || !await answer(last.run)) return;
		const now = await get(transport, path`/runs/${runId}`, { signal: options.signal });
		if (isSameWait(last.run, now)) return;
		events = goOn(transport, runId, {
			...options,
			lastEventId: last.id
		});
	}
}
/** Yields what happens behind `lastEventId`, or from the run's beginning; of a run that has ended too. */
async function* followRun(transport, runId, options = {}) {
	yield* goOn(transport, runId, options);
}
var asEvents = { accept: "text/event-stream" };
async function* goOn(transport, runId, { signal, timeoutMs, onBreak, reconnectMs = 0, lastEventId, response }) {
	let last = lastEventId;
	let opened = response;
	let heardAt = Date.now();
	for (let tries = 0;; tries++) {
		let fault = null;
		try {
			const current = opened ?? await transport.open(follow$1(runId, last), {
				signal,
				timeoutMs
			});
			opened = void 0;
			if (current.status === 204) return;
			try {
				for await (const event of readEvents(current.body ?? emptyBody())) {
					tries = 0;
					heardAt = Date.now();
					last = event.id;
					const data = JSON.parse(event.data);
					yield {
						...data,
						id: event.id
					};
					if (isLast(data)) return;
				}
			} catch (error) {
				signal?.throwIfAborted();
				fault = error;
			}
		} catch (error) {
			signal?.throwIfAborted();
			if (!mayPass(error) || Date.now() - heardAt >= reconnectMs) throw error;
			fault = error;
		}
		if (tries >= mostFruitlessTries && Date.now() - heardAt >= reconnectMs) throw new ConnectionError(`The events of ${runId} broke off again and again`, { cause: fault });
		onBreak?.();
		await pause(delayBeforeRetry(tries, null) ?? 0, signal);
	}
}
var mayPass = (error) => error instanceof ConnectionError || error instanceof TimeoutError || error instanceof ApiError && error.retryable;
var follow$1 = (runId, lastEventId) => ({
	method: "GET",
	path: path`/runs/${runId}/events`,
	headers: withoutUndefined({
		...asEvents,
		"last-event-id": lastEventId
	})
});
var isLast = ({ type }) => type === "run.succeeded" || type === "run.failed" || type === "run.cancelled" || type === "run.waiting";
var emptyBody = () => new Response("").body;
/** Each event once it is complete; what a broken stream left unfinished is dropped. */
async function* readEvents(body) {
	let id = "";
	let event = "";
	let data = [];
	for await (const line of readLines(body)) {
		if (line === "") {
			if (data.length > 0) yield {
				id,
				event,
				data: data.join("\n")
			};
			event = "";
			data = [];
			continue;
		}
		const colon = line.indexOf(":");
		const field = colon < 0 ? line : line.slice(0, colon);
		const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
		if (field === "id" && !value.includes("\0")) id = value;
		if (field === "event") event = value;
		if (field === "data") data.push(value);
	}
}
/** Lines end with CR LF, LF or CR. */
async function* readLines(body) {
	const decoder = new TextDecoder();
	const reader = body.getReader();
	let rest = "";
	try {
		for (;;) {
			const { done, value } = await reader.read();
			if (done) return;
			rest += decoder.decode(value, { stream: true });
			const lines = rest.replace(/\r$/, "").split(/\r\n|\n|\r/);
			rest = (lines.pop() ?? "") + (rest.endsWith("\r") ? "\r" : "");
			yield* lines;
		}
	} finally {
		await reader.cancel().catch(() => void 0);
	}
}
// ../sdk/src/agents.ts
/** Agents and their runs. */
var createAgents = (transport) => ({
	list: (query = {}, options) => listOf(transport, "/agents", query, options),
	get: (id, options) => get(transport, path`/agents/${id}`, options),
	create: (agent, options) => post(transport, "/agents", agent, options),
	update: (id, change, options) => patch(transport, path`/agents/${id}`, change, options),
	delete: (id, options) => remove(transport, path`/agents/${id}`, options),
	previewDelete: (id, options) => previewRemove(transport, path`/agents/${id}`, options),
	/** Lets runs use this revision from now on: a draft, or an earlier one to go back to. */
	publish: (id, revision, options) => post(transport, path`/agents/${id}/publish`, { revision }, options),
	revisions: {
		list: (id, query = {}, options) => listOf(transport, path`/agents/${id}/revisions`, query, options),
		/** What it holds, and what it changed against the one before. */
		get: (id, revision, options) => get(transport, path`/agents/${id}/revisions/${String(revision)}`, options)
	},
	/** Run the agent by the clock. */
	schedules: createSchedules(transport),
	/** URLs that run the agent for what is sent to them. */
	triggers: createTriggers(transport),
	/** Tools that agents can be given. */
	tools: (query = {}, options) => rankedListOf(transport, "/agents/tools", query, options),
	/** Templates that can be installed. */
	catalog: (query = {}, options) => rankedListOf(transport, "/agents/catalog", query, options),
	install: (templateId, installation = {}, options) => post(transport, path`/agents/catalog/${templateId}/install`, installation, options),
	/**
	* Resolves once the run has ended, `succeeded` or `failed` alike, or waits for what `tools` do not answer, such as an
	* approval: look at `status` and `error`. Calls of `tools` are carried out here, at the same time. Throws `TimeoutError`
	* if the model takes longer than `timeoutMs` to an end or a call, ten minutes unless given.
	*/
	run: async (id, run, options = {}) => {
		const begun = await post(transport, path`/agents/${id}/run`, bodyOf(run), options);
		const answer = createAnswering(transport, run.tools ?? {}, options);
		for (let current = begun;;) {
			current = await untilOver(transport, current, options);
			if (current.status !== "waiting" || !await answer(current)) return current;
			current = await get(transport, path`/runs/${begun.id}`, { signal: options.signal });
		}
	},
	/** Begins a run in the background and answers at once. */
	start: (id, run, options) => call(transport, {
		method: "POST",
		path: path`/agents/${id}/run`,
		body: run,
		headers: { prefer: "respond-async" }
	}, options),
	/**
	* Begins a run and yields its events as they happen: `for await (const event of atrium.agents.stream(…))`. Its last
	* one holds the run. A connection that breaks is taken up again; leaving the loop does not stop the run. Calls of
	* `tools` are carried out as by `run`: the loop goes on behind `run.waiting`.
	*/
	stream: (id, run, options) => streamRun(transport, id, run, options),
	/** The newest run of each agent, page by page as `list` lists them. */
	lastRuns: (query = {}, options) => rankedListOf(transport, "/agents/last-runs", query, options),
	runs: (id, query = {}, options) => listOf(transport, path`/agents/${id}/runs`, withFilterText(query), options)
});
var createSchedules = (transport) => ({
	list: (agentId, query = {}, options) => listOf(transport, path`/agents/${agentId}/schedules`, query, options),
	get: (agentId, id, options) => get(transport, path`/agents/${agentId}/schedules/${id}`, options),
	/** Its runs act for the caller, as long as the caller may run the agent. */
	create: (agentId, schedule, options) => post(transport, path`/agents/${agentId}/schedules`, schedule, options),
	/** Any change but a pause makes it act for the caller. */
	update: (agentId, id, change, options) => patch(transport, path`/agents/${agentId}/schedules/${id}`, change, options),
	delete: (agentId, id, options) => remove(transport, path`/agents/${agentId}/schedules/${id}`, options),
	previewDelete: (agentId, id, options) => previewRemove(transport, path`/agents/${agentId}/schedules/${id}`, options)
});
var createTriggers = (transport) => ({
	list: (agentId, query = {}, options) => listOf(transport, path`/agents/${agentId}/triggers`, query, options),
	get: (agentId, id, options) => get(transport, path`/agents/${agentId}/triggers/${id}`, options),
	/** The reply holds the URL and the secret, this once. Its runs act for the caller. */
	create: (agentId, trigger, options) => post(transport, path`/agents/${agentId}/triggers`, trigger, options),
	/** Any change but a pause makes it act for the caller. */
	update: (agentId, id, change, options) => patch(transport, path`/agents/${agentId}/triggers/${id}`, change, options),
	/** Makes a new URL and a new secret; for the overlap the old ones work too. */
	rotate: (agentId, id, rotation = {}, options) => post(transport, path`/agents/${agentId}/triggers/${id}/rotate`, rotation, options),
	delete: (agentId, id, options) => remove(transport, path`/agents/${agentId}/triggers/${id}`, options),
	previewDelete: (agentId, id, options) => previewRemove(transport, path`/agents/${agentId}/triggers/${id}`, options),
	/** Starts a run as a sender outside does; `token` is the last part of the URL. */
	send: (token, payload, options) => post(transport, path`/triggers/${token}`, payload, options)
});
var createRuns = (transport) => ({
	/** Of all agents. */
	list: (query = {}, options) => listOf(transport, "/runs", withFilterText(query), options),
	get: (id, options) => get(transport, path`/runs/${id}`, options),
	/** Yields a run's events, from its beginning or behind `lastEventId`, until it has ended or waits. */
	follow: (id, options) => followRun(transport, id, options),
	/** Resolves once the run has stopped; what it used until then is on its record. */
	cancel: (id, options) => post(transport, path`/runs/${id}/cancel`, void 0, options),
	/** Approves or rejects tool calls for which the run waits; once all are decided, it goes on in the background. */
	decide: (id, decisions, options) => post(transport, path`/runs/${id}/approvals`, { decisions }, options),
	/** Sends results of functions for which the run waits; once none is missing, it goes on in the background. */
	sendToolResults: (id, results, options) => post(transport, path`/runs/${id}/tool-results`, { results }, options),
	/** Runs the same inputs again, on the published revision unless another is named; resolves as `agents.run` does. */
	rerun: async (id, rerun = {}, options = {}) => {
		return untilOver(transport, await post(transport, path`/runs/${id}/rerun`, rerun, options), options);
	},
	/** Two runs of one agent side by side: a rerun and its original, unless another is named. */
	compare: (id, otherId, options) => call(transport, {
		method: "GET",
		path: path`/runs/${id}/comparison`,
		query: { with: otherId }
	}, options),
	/** Replaces what was said of the run before. */
	giveFeedback: (id, feedback, options) => post(transport, path`/runs/${id}/feedback`, feedback, options),
	deleteFeedback: (id, options) => remove(transport, path`/runs/${id}/feedback`, options),
	previewDeleteFeedback: (id, options) => previewRemove(transport, path`/runs/${id}/feedback`, options),
	/** Resolves with the run once it has ended, however, or waits for an approval or a result. Throws `TimeoutError` after `timeoutMs`, ten minutes unless given. */
	waitUntilEnded: (id, options = {}) => waitUntilEnded(transport, id, options)
});
var isOver = (run) => run.finishedAt !== null || run.status === "waiting";
var untilOver = async (transport, begun, options) => isOver(begun) ? begun : await waitUntilEnded(transport, begun.id, options);
var waitUntilEnded = (transport, id, { timeoutMs = 6e5, signal }) => waitUntil((headers) => call(transport, {
	method: "GET",
	path: path`/runs/${id}`,
	headers
}, { signal }), {
	isOver,
	heldSeconds: 50,
	timeoutMs
});
/** They begin with a run that names none, and go on by runs that name them: `agents.run`. */
var createConversations = (transport) => ({
	list: (query = {}, options) => listOf(transport, "/conversations", query, options),
	get: (id, options) => get(transport, path`/conversations/${id}`, options),
	/** The latest first. */
	runs: (id, query = {}, options) => listOf(transport, path`/conversations/${id}/runs`, query, options),
	update: (id, change, options) => patch(transport, path`/conversations/${id}`, change, options),
	/** Returns a new conversation that remembers this one up to and including a run. */
	branch: (id, branch, options) => post(transport, path`/conversations/${id}/branch`, branch, options),
	/** For owners and admins: reads a conversation of another person for an hour. That person sees the reason. */
	open: (id, opening, options) => post(transport, path`/conversations/${id}/openings`, opening, options),
	openings: (id, query = {}, options) => listOf(transport, path`/conversations/${id}/openings`, query, options),
	/** Erases it with its runs for good. */
	delete: (id, options) => remove(transport, path`/conversations/${id}`, options),
	previewDelete: (id, options) => previewRemove(transport, path`/conversations/${id}`, options)
});
// ../sdk/src/integrations.ts
/** Integrations: the catalog of outside services, and the connections to them. */
var createIntegrations = (transport) => ({
	/** What can be connected, by name. */
	catalog: (query = {}, options) => rankedListOf(transport, "/integrations/catalog", query, options),
	/** What is connected. */
	list: (query = {}, options) => listOf(transport, "/integrations", query, options),
	get: (id, options) => get(transport, path`/integrations/${id}`, options),
	/** For OAuth the reply holds what a person needs to authorize it: a `connectUrl`, an `authorizationUrl` or a `userCode`. */
	connect: (connection, options) => post(transport, "/integrations/connect", connection, options),
	/** Reconnects a connection under the same id: with new `credentials`, or by authorizing it again. */
	reconnect: (id, access = {}, options) => post(transport, path`/integrations/${id}/reconnect`, access, options),
	/** The OAuth clients by which people authorize connections: the workspace's own go before the server's. */
	clients: {
		/** Whose client counts, and the address to register with the service. */
		get: (integrationId, options) => get(transport, path`/oauth-clients/${integrationId}`, options),
		/** The secret goes in and never comes out. */
		set: (integrationId, client, options) => call(transport, {
			method: "PUT",
			path: path`/oauth-clients/${integrationId}`,
			body: client
		}, options),
		/** From then on the server's counts, where there is one. */
		delete: (integrationId, options) => remove(transport, path`/oauth-clients/${integrationId}`, options),
		previewDelete: (integrationId, options) => previewRemove(transport, path`/oauth-clients/${integrationId}`, options)
	},
	/** Calls the service once, and says whether the connection works. */
	test: (id, options) => post(transport, path`/integrations/${id}/test`, void 0, options),
	/** Its name, its config, and how it is kept in sync: `{ sync: { everyMinutes: 60 } }`. */
	update: (id, change, options) => patch(transport, path`/integrations/${id}`, change, options),
	/** Begins a sync; `syncs.get` tells how far it has come, and how it ended. */
	sync: (id, wanted = {}, options) => post(transport, path`/integrations/${id}/sync`, wanted, options),
	/** What brought a collection in line with a connection's service, and what came of it. */
	syncs: {
		/** Newest first. */
		list: (id, query = {}, options) => listOf(transport, path`/integrations/${id}/syncs`, query, options),
		get: (id, syncId, options) => get(transport, path`/integrations/${id}/syncs/${syncId}`, options),
		/** What was written until then stays. */
		cancel: (id, syncId, options) => post(transport, path`/integrations/${id}/syncs/${syncId}/cancel`, void 0, options),
		/** What it has fetched; `{ status: 'failed' }` shows what it could not, and why. */
		items: (id, syncId, query = {}, options) => rankedListOf(transport, path`/integrations/${id}/syncs/${syncId}/items`, query, options)
	},
	/** Revokes what can be revoked at the service, and erases the secrets. The documents stay unless `documents` is `trash`. */
	disconnect: (id, { documents = "keep", ...options } = {}) => remove(transport, path`/integrations/${id}`, options, { documents }),
	previewDisconnect: (id, { documents = "keep", ...options } = {}) => previewRemove(transport, path`/integrations/${id}`, options, { documents })
});
// ../sdk/src/resumable.ts
/** Resumable uploads by the tus protocol, for files that are large or lines that break. */
var tus = { "tus-resumable": "1.0.0" };
var chunkTimeoutMs = 3e5;
var createUploads = (transport) => {
	const create = (file, length, options) => call(transport, {
		method: "POST",
		path: "/knowledge/uploads",
		headers: {
			...tus,
			"upload-length": String(length),
			"upload-metadata": metadataOf(file)
		}
	}, options);
	/** The bytes from `offset` on; returns where the upload stands then, and the document once it is whole. */
	const append = async (id, offset, bytes, options) => {
		const type = "application/offset+octet-stream";
		const { headers } = await transport.send({
			method: "PATCH",
			path: path`/knowledge/uploads/${id}`,
			headers: {
				...tus,
				"upload-offset": String(offset)
			},
			form: {
				open: () => bytes,
				headers: { "content-type": type },
				repeatable: false
			}
		}, {
			timeoutMs: chunkTimeoutMs,
			...options
		});
		const documentId = headers.get("atrium-document-id");
		return {
			id,
			offset: Number(headers.get("upload-offset")),
			documentId
		};
	};
	const find = (id, options) => get(transport, path`/knowledge/uploads/${id}`, options);
	return {
		/** What the server speaks, and the largest file that it takes. */
		capabilities: (options) => call(transport, {
			method: "OPTIONS",
			path: "/knowledge/uploads"
		}, options),
		create,
		append,
		get: find,
		list: (query = {}, options) => listOf(transport, "/knowledge/uploads", query, options),
		delete: async (id, options) => {
			await transport.send({
				method: "DELETE",
				path: path`/knowledge/uploads/${id}`,
				headers: tus
			}, options);
		},
		previewDelete: (id, options) => previewRemove(transport, path`/knowledge/uploads/${id}`, options),
		/** Sends the whole file, going on where the line broke, and answers the document's id. */
		send: async (file, content, options = {}) => {
			const { chunkBytes = 8388608, maxRetries = 10, signal, onProgress } = options;
			let standing = await (options.uploadId === void 0 ? create(file, content.size, { signal }) : find(options.uploadId));
			let failures = 0;
			let inDoubt = false;
			while (standing.documentId === null) {
				if (!inDoubt) onProgress?.(standing.id, standing.offset, content.size);
				const piece = content.slice(standing.offset, standing.offset + chunkBytes);
				const isWhole = piece.size === 0;
				try {
					if (inDoubt || isWhole) standing = await find(standing.id, { signal });
					else standing = await append(standing.id, standing.offset, piece, { signal });
					if (!inDoubt) failures = 0;
					inDoubt = false;
					if (isWhole && standing.documentId === null) await pause(finishPollMs, signal);
				} catch (error) {
					failures += 1;
					if (failures > maxRetries || !isPassing(error)) throw error;
					inDoubt = true;
					await pause(Math.min(1e4, 250 * 2 ** failures), signal);
				}
				if (standing.status === "failed") throw new AtriumError("The upload was not taken in");
			}
			return standing.documentId;
		}
	};
};
var finishPollMs = 500;
/** The line, or an earlier request: it is still adding, or its reply was lost. */
var isPassing = (error) => error instanceof ConnectionError || error instanceof TimeoutError || error instanceof ApiError && (error.retryable || ["upload_offset", "upload_ended"].includes(error.code));
function metadataOf({ name, mediaType, collectionId, externalId, title, metadata }) {
	const values = {
		filename: name,
		filetype: mediaType,
		collectionId,
		externalId,
		title,
		metadata: metadata === void 0 ? void 0 : JSON.stringify(metadata)
	};
	return Object.entries(values).flatMap(([key, value]) => value === void 0 ? [] : [`${key} ${base64(value)}`]).join(",");
}
var base64 = (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
// ../sdk/src/syncs.ts
/** Sync sessions: a collection brought in line with the system that its documents come from. */
/** The server waits for the deletions, up to a minute. */
var completeWaitSeconds = 60;
var createSyncs = (transport) => ({
	/**
	* The first page of the manifest may come with it; longer ones go on with `add`. With `ifOpen: 'resume'` a program that
	* was killed goes on with its session: `sync.entries` is how many entries that has.
	*/
	open: (collectionId, sync = {}, options) => post(transport, path`/knowledge/collections/${collectionId}/syncs`, sync, options),
	/** What a session with this manifest would do, deletions included; none is opened. */
	preview: (collectionId, sync, options) => call(transport, {
		method: "POST",
		path: path`/knowledge/collections/${collectionId}/syncs`,
		query: { dryRun: true },
		body: sync
	}, options),
	list: (collectionId, query = {}, options) => listOf(transport, path`/knowledge/collections/${collectionId}/syncs`, query, options),
	get: (id, options) => get(transport, path`/knowledge/syncs/${id}`, options),
	add: (id, entries, options) => post(transport, path`/knowledge/syncs/${id}/entries`, { entries }, options),
	/** What was asked for and has not been uploaded. */
	missing: (id, query = {}, options) => rankedListOf(transport, path`/knowledge/syncs/${id}/missing`, query, options),
	/** Moves what is gone to the trash. Throws `ConflictError` with the code `delete_guard` if that is too much. */
	complete: (id, confirmation = {}, options) => call(transport, {
		method: "POST",
		path: path`/knowledge/syncs/${id}/complete`,
		body: confirmation,
		headers: { prefer: `wait=${completeWaitSeconds}` }
	}, options),
	/** What `complete` would delete. */
	previewComplete: (id, options) => previewPost(transport, path`/knowledge/syncs/${id}/complete`, {}, options),
	cancel: (id, options) => post(transport, path`/knowledge/syncs/${id}/cancel`, void 0, options)
});
// ../sdk/src/knowledge.ts
/** Knowledge: collections, documents and search. */
var createKnowledge = (transport) => ({
	collections: createCollections(transport),
	documents: createDocuments(transport),
	syncs: createSyncs(transport),
	uploads: createUploads(transport),
	imports: createImports(transport),
	trash: createTrash(transport),
	/** Whether quotes still stand in their documents word for word, in their order. */
	verifyCitations: (citations, options) => post(transport, "/knowledge/citations/verify", { citations }, options),
	/** The passages that answer best, best first: `page()` for the first ten, `for await` for up to 1,000. */
	search: (query, narrowed = {}, options) => rankedListOf(transport, "/knowledge/search", {
		...withFilterText(narrowed),
		query
	}, options)
});
var createCollections = (transport) => ({
	list: (query = {}, options) => listOf(transport, "/knowledge/collections", query, options),
	get: (id, options) => get(transport, path`/knowledge/collections/${id}`, options),
	create: (collection, options) => post(transport, "/knowledge/collections", collection, options),
	update: (id, change, options) => patch(transport, path`/knowledge/collections/${id}`, change, options),
	/** One archive of all that is in it, as `imports.create` takes it; read its `body` as a stream. */
	export: (id, options) => transport.open({
		method: "GET",
		path: path`/knowledge/collections/${id}/export`
	}, options),
	/** With the documents in it, into the trash, or with `erase` for good. */
	delete: (id, removal) => removeOrErase(transport, path`/knowledge/collections/${id}`, removal),
	previewDelete: (id, options) => previewRemove(transport, path`/knowledge/collections/${id}`, options)
});
var uploadTimeoutMs = 36e5;
var createImports = (transport) => ({
	/** Resolves once the archive is stored; `wait` waits for the rest. */
	create: ({ file, ...fields }, options = {}) => call(transport, {
		method: "POST",
		path: "/knowledge/imports",
		form: formOf(fields, "file", file)
	}, {
		timeoutMs: uploadTimeoutMs,
		...options
	}),
	get: (id, options) => get(transport, path`/knowledge/imports/${id}`, options),
	/** Resolves once the import has `succeeded` or `failed`; its `error` says why. Throws `TimeoutError`. */
	wait: (id, { timeoutMs = 36e5, signal } = {}) => {
		const at = path`/knowledge/imports/${id}`;
		return waitUntil((headers) => call(transport, {
			method: "GET",
			path: at,
			headers
		}, { signal }), {
			isOver: ({ finishedAt }) => finishedAt !== null,
			heldSeconds: 20,
			timeoutMs
		});
	}
});
var createTrash = (transport) => ({
	/** Documents that can be restored. */
	list: (query = {}, options) => listOf(transport, "/knowledge/trash", query, options),
	/** Collections that can be restored, with everything in them. */
	collections: (query = {}, options) => listOf(transport, "/knowledge/trash/collections", query, options),
	/** Returns the document; its status tells when it is found again. */
	restore: (documentId, options) => post(transport, path`/knowledge/documents/${documentId}/restore`, void 0, options),
	restoreCollection: (id, options) => post(transport, path`/knowledge/collections/${id}/restore`, void 0, options),
	/** Nothing in it can be restored from then on. */
	empty: (options) => remove(transport, "/knowledge/trash", options),
	previewEmpty: (options) => previewRemove(transport, "/knowledge/trash", options)
});
// ../sdk/src/transport/credentials.ts
/** So long before its end a token is replaced: clocks differ, and a request takes its time. */
var marginMs$1 = 3e4;
var fixedCredentials = (apiKey) => ({
	current: async () => apiKey,
	refused: () => false
});
function providedCredentials(provide) {
	let kept = null;
	let asked = null;
	const ask = async () => {
		try {
			const given = await provide();
			const { token, expiresAt } = typeof given === "string" ? {
				token: given,
				expiresAt: void 0
			} : given;
			kept = {
				token,
				expiresAt: expiresAt === void 0 ? Number.POSITIVE_INFINITY : timeOf(expiresAt)
			};
			return token;
		} finally {
			asked = null;
		}
	};
	return {
		async current() {
			if (kept !== null && kept.expiresAt - marginMs$1 > Date.now()) return kept.token;
			asked ??= ask();
			return asked;
		},
		refused(token) {
			if (kept?.token === token) kept = null;
			return true;
		}
	};
}
function timeOf(expiresAt) {
	const time = new Date(expiresAt).getTime();
	if (Number.isNaN(time)) throw new TypeError("expiresAt must be a date or an ISO 8601 time");
	return time;
}
// ../sdk/src/transport/transport.ts
function createTransport(settings) {
	return {
		async send(outgoing, options = {}) {
			const exchanged = await exchange(settings, outgoing, options, (response) => response.text());
			return readReply(exchanged.response, exchanged.content);
		},
		async open(outgoing, options = {}) {
			return (await exchange(settings, outgoing, options, async () => null)).response;
		}
	};
}
/** Tries until there is a successful reply, an error that will not pass, or no retry left. */
async function exchange(settings, outgoing, options, read) {
	const call = {
		settings,
		outgoing,
		options,
		url: urlOf(settings.baseUrl, outgoing),
		headers: headersOf(outgoing, options),
		read
	};
	const repeatable = outgoing.form?.repeatable ?? true;
	const maxRetries = repeatable ? options.maxRetries ?? settings.maxRetries : 0;
	for (let attempt = 0;; attempt++) {
		const outcome = await tryAuthenticated(call, repeatable);
		if (!("fault" in outcome)) return outcome;
		const delayMs = attempt < maxRetries ? delayBeforeRetry(attempt, outcome.retryAfterMs) : null;
		if (!outcome.passing || delayMs === null) throw outcome.fault;
		await pause(delayMs, options.signal);
	}
}
/** A token may have ended between being checked here and there: then the call is made once more, with another. */
async function tryAuthenticated(call, repeatable) {
	const { credentials } = call.settings;
	const token = await credentials.current();
	call.headers.set("authorization", `Bearer ${token}`);
	const outcome = await tryOnce(call);
	if (!("fault" in outcome && outcome.fault instanceof AuthenticationError) || !credentials.refused(token) || !repeatable) return outcome;
	call.headers.set("authorization", `Bearer ${await credentials.current()}`);
	return tryOnce(call);
}
async function tryOnce(call) {
	const { settings, outgoing, options, url, headers } = call;
	options.signal?.throwIfAborted();
	const timeoutMs = options.timeoutMs ?? settings.timeoutMs;
	const deadline = new AbortController();
	const timer = setTimeout(() => deadline.abort(), timeoutMs);
	const signals = options.signal === void 0 ? [deadline.signal] : [options.signal, deadline.signal];
	try {
		const response = await settings.fetch(url, requestOf(outgoing, headers, AbortSignal.any(signals)));
		if (response.ok) return {
			response,
			content: await call.read(response)
		};
		if (response.status === 304) return {
			fault: new NotModifiedError(`Not modified: ${url}`),
			passing: false,
			retryAfterMs: null
		};
		return faultOfReply(response, await response.text());
	} catch (error) {
		options.signal?.throwIfAborted();
		const where = `${outgoing.method} ${url}`;
		return {
			fault: deadline.signal.aborted ? new TimeoutError(`No reply within ${timeoutMs} ms: ${where}`, { cause: error }) : new ConnectionError(`Could not reach the server: ${where}`, { cause: error }),
			passing: true,
			retryAfterMs: null
		};
	} finally {
		clearTimeout(timer);
	}
}
function requestOf(outgoing, headers, signal) {
	const body = outgoing.form?.open() ?? (outgoing.body === void 0 ? null : JSON.stringify(outgoing.body));
	const request = {
		method: outgoing.method,
		headers,
		body,
		signal,
		redirect: "error"
	};
	if (body instanceof ReadableStream) request.duplex = "half";
	return request;
}
function headersOf(outgoing, options) {
	const headers = new Headers({
		accept: "application/json",
		...outgoing.headers,
		...outgoing.form?.headers
	});
	if (outgoing.body !== void 0) headers.set("content-type", "application/json");
	if (options.ifMatch !== void 0) headers.set("if-match", options.ifMatch);
	if (options.ifNoneMatch !== void 0) headers.set("if-none-match", options.ifNoneMatch);
	if (options.idempotencyKey !== void 0) headers.set("idempotency-key", options.idempotencyKey);
	else if (outgoing.method !== "GET" && outgoing.method !== "OPTIONS") headers.set("idempotency-key", newKey());
	return headers;
}
/** Not `crypto.randomUUID`: browsers have it on secure pages only. */
function newKey() {
	const bytes = crypto.getRandomValues(/* @__PURE__ */ new Uint8Array(16));
	return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
function urlOf(baseUrl, { path, query = {} }) {
	const parameters = new URLSearchParams();
	for (const [name, value] of Object.entries(query)) for (const item of Array.isArray(value) ? value : [value]) if (item !== void 0 && item !== null) parameters.append(name, textOf(item));
	return parameters.size === 0 ? baseUrl + path : `${baseUrl}${path}?${parameters}`;
}
function textOf(value) {
	if (value instanceof Date) return value.toISOString();
	return typeof value === "object" ? JSON.stringify(value) : String(value);
}
function readReply(response, text) {
	const envelope = text === "" ? {} : parseJson(text);
	if (envelope === null) throw new ConnectionError(`The reply is not JSON, so it is not from Atrium: ${text.slice(0, 200)}`);
	return {
		status: response.status,
		headers: response.headers,
		requestId: response.headers.get("x-request-id") ?? "",
		data: envelope.data,
		meta: envelope.meta ?? null
	};
}
function faultOfReply(response, text) {
	const retryAfterMs = parseRetryAfter(response.headers.get("retry-after"), Date.now());
	const fault = apiErrorOf(errorBodyOf(response, text), retryAfterMs);
	const replayed = response.headers.get("idempotency-replayed") === "true";
	return {
		fault,
		passing: fault.retryable && !replayed,
		retryAfterMs
	};
}
/** The error as the API wrote it, or one made of the status where something in between answered. */
function errorBodyOf(response, text) {
	const parsed = parseJson(text);
	if (parsed !== null && typeof parsed.code === "string") return parsed;
	return {
		statusCode: response.status,
		message: `HTTP ${response.status} ${response.statusText}`.trim(),
		errors: [],
		code: "unknown",
		details: {},
		requestId: response.headers.get("x-request-id") ?? "",
		retryable: isPassingStatus(response.status)
	};
}
function parseJson(text) {
	try {
		const value = JSON.parse(text);
		return typeof value === "object" && value !== null ? value : null;
	} catch {
		return null;
	}
}
// ../sdk/src/webhooks.ts
/** Webhook endpoints: whom the workspace tells of what happens, what was sent and what came back. */
var createWebhooks = (transport) => ({
	list: (query = {}, options) => listOf(transport, "/webhooks", query, options),
	get: (id, options) => get(transport, path`/webhooks/${id}`, options),
	/** The reply holds the secret, this once; `verifyWebhook` needs it. */
	create: (webhook, options) => post(transport, "/webhooks", webhook, options),
	/**
	* Makes the endpoint of this URL, or changes it: a program may call it at each start. The reply holds the secret only
	* where the endpoint is new.
	*/
	put: (webhook, options) => call(transport, {
		method: "PUT",
		path: "/webhooks",
		body: webhook
	}, options),
	update: (id, change, options) => patch(transport, path`/webhooks/${id}`, change, options),
	/** Makes a new secret; for the overlap deliveries carry a signature of each. */
	rotateSecret: (id, rotation = {}, options) => post(transport, path`/webhooks/${id}/rotate-secret`, rotation, options),
	delete: (id, options) => remove(transport, path`/webhooks/${id}`, options),
	previewDelete: (id, options) => previewRemove(transport, path`/webhooks/${id}`, options),
	/** Sends an event `webhook.test` there, and answers how its first attempt went. */
	test: (id, options) => post(transport, path`/webhooks/${id}/test`, void 0, options),
	/** Sends what has happened in a range of time again. */
	replay: (id, range, options) => post(transport, path`/webhooks/${id}/replay`, range, options),
	/** How many events that would be; nothing is sent. */
	previewReplay: (id, range, options) => previewPost(transport, path`/webhooks/${id}/replay`, range, options),
	deliveries: {
		/** Newest first. */
		list: (webhookId, query = {}, options) => listOf(transport, path`/webhooks/${webhookId}/deliveries`, query, options),
		/** With what is sent, and every attempt. */
		get: (webhookId, id, options) => get(transport, path`/webhooks/${webhookId}/deliveries/${id}`, options),
		/** Sends the same event again, as a delivery of its own. */
		redeliver: (webhookId, id, options) => post(transport, path`/webhooks/${webhookId}/deliveries/${id}/redeliver`, void 0, options)
	}
});
/** Callbacks of runs that were started with `callbackUrl`: their secret, and what was sent. */
var createCallbacks = (transport) => ({
	/** Whether there is a secret. */
	secret: (options) => get(transport, "/callbacks/secret", options),
	/** Makes the secret, or another. The reply holds it, this once; `verifyWebhook` needs it. */
	rotateSecret: (rotation = {}, options) => post(transport, "/callbacks/secret/rotate", rotation, options),
	deliveries: {
		/** Newest first. */
		list: (query = {}, options) => listOf(transport, "/callbacks/deliveries", query, options),
		/** With what is sent, and every attempt. */
		get: (id, options) => get(transport, path`/callbacks/deliveries/${id}`, options),
		/** Sends the same event again, as a delivery of its own. */
		redeliver: (id, options) => post(transport, path`/callbacks/deliveries/${id}/redeliver`, void 0, options)
	}
});
// ../sdk/src/workspace.ts
/** The workspace: its members, invitations, teams, keys and audit log. */
var createWorkspace = (transport) => ({
	/** The workspace that the key belongs to. */
	get: (options) => get(transport, "/workspace", options),
	/** Gives it another name, or sets what its runs may cost in a month; needs a live key of an owner or admin. */
	update: (change, options) => patch(transport, "/workspace", change, options),
	/**
	* Deletes the workspace with everything in it, for owners: from now on every key is refused with `workspace_deleted`.
	* `confirm` is its slug. Until `deletesAt` an owner can restore it in the console.
	*/
	delete: async (confirm, options) => {
		const outgoing = {
			method: "DELETE",
			path: "/workspace",
			body: { confirm }
		};
		const { data } = await transport.send(outgoing, options);
		return data;
	},
	previewDelete: (options) => previewRemove(transport, "/workspace", options),
	/** Takes the person behind the token out of the workspace, with the keys that they made; the last owner stays. */
	leave: async (options) => {
		await transport.send({
			method: "POST",
			path: "/workspace/leave"
		}, options);
	},
	/** What leaving would do; nothing is changed. */
	previewLeave: (options) => previewPost(transport, "/workspace/leave", void 0, options),
	/** Makes the member an owner and the caller, who was one, an admin; returns the new owner. */
	transfer: (memberId, options) => post(transport, "/workspace/transfer", { memberId }, options),
	/** What the plan allows, and how much of it is used. */
	usage: (options) => get(transport, "/usage", options),
	members: createMembers(transport),
	invitations: createInvitations(transport),
	teams: createTeams(transport)
});
var createMembers = (transport) => ({
	list: (query = {}, options) => listOf(transport, "/workspace/members", query, options),
	get: (id, options) => get(transport, path`/workspace/members/${id}`, options),
	/** Changes the role. The last owner stays one. */
	update: (id, change, options) => patch(transport, path`/workspace/members/${id}`, change, options),
	/** Takes the member out of the workspace; the keys that they made stop working. */
	delete: (id, options) => remove(transport, path`/workspace/members/${id}`, options),
	previewDelete: (id, options) => previewRemove(transport, path`/workspace/members/${id}`, options),
	/** A member that is no person, for keys that must outlive the people who make them: see `memberId` of `apiKeys.create`. */
	createServiceAccount: (account, options) => post(transport, "/workspace/members", account, options),
	invite: (invitation, options) => post(transport, "/workspace/members/invite", invitation, options)
});
var createInvitations = (transport) => ({
	list: (query = {}, options) => listOf(transport, "/workspace/invitations", query, options),
	get: (id, options) => get(transport, path`/workspace/invitations/${id}`, options),
	/** Sends a new link; the earlier one stops working. */
	resend: (id, options) => post(transport, path`/workspace/invitations/${id}/resend`, void 0, options),
	/** For a page of your own where the invited person agreed; `token` is the last part of their link. */
	accept: (acceptance, options) => post(transport, "/workspace/invitations/accept", acceptance, options),
	revoke: (id, options) => post(transport, path`/workspace/invitations/${id}/revoke`, void 0, options)
});
var createTeams = (transport) => ({
	list: (query = {}, options) => listOf(transport, "/workspace/teams", query, options),
	get: (id, options) => get(transport, path`/workspace/teams/${id}`, options),
	create: (team, options) => post(transport, "/workspace/teams", team, options),
	update: (id, change, options) => patch(transport, path`/workspace/teams/${id}`, change, options),
	delete: (id, options) => remove(transport, path`/workspace/teams/${id}`, options),
	previewDelete: (id, options) => previewRemove(transport, path`/workspace/teams/${id}`, options),
	members: (id, query = {}, options) => listOf(transport, path`/workspace/teams/${id}/members`, query, options),
	/** Does nothing where the member belongs to the team already. */
	addMember: async (id, memberId, options) => {
		const at = path`/workspace/teams/${id}/members/${memberId}`;
		await transport.send({
			method: "PUT",
			path: at
		}, options);
	},
	removeMember: (id, memberId, options) => remove(transport, path`/workspace/teams/${id}/members/${memberId}`, options)
});
var createApiKeys = (transport) => ({
	list: (query = {}, options) => listOf(transport, "/api-keys", query, options),
	get: (id, options) => get(transport, path`/api-keys/${id}`, options),
	/** The reply holds the whole key, this once. */
	create: (key, options) => post(transport, "/api-keys", key, options),
	update: (id, change, options) => patch(transport, path`/api-keys/${id}`, change, options),
	/** Makes a new secret; the old one lives on for the overlap that is asked for. */
	rotate: (id, rotation = {}, options) => post(transport, path`/api-keys/${id}/rotate`, rotation, options),
	revoke: (id, options) => post(transport, path`/api-keys/${id}/revoke`, void 0, options)
});
var createAuditLog = (transport) => ({ list: (query = {}, options) => listOf(transport, "/audit-log", query, options) });
var createEvents = (transport) => ({
	/** Newest first: what happened to runs, documents, connections, members, keys and limits. */
	list: (query = {}, options) => listOf(transport, "/events", query, options),
	get: (id, options) => get(transport, path`/events/${id}`, options)
});
var createUsage = (transport) => ({
	/** What the plan allows, and how much of it is used. */
	get: (options) => get(transport, "/usage", options),
	/** Requests, runs, tokens, cost and storage by day or month; in all, or by key, agent or collection. Newest period first. */
	history: (query = {}, options) => rankedListOf(transport, "/usage/history", query, options)
});
var createModels = (transport) => ({
	/** The operator's, then those of the workspace's own providers. */
	list: (query = {}, options) => rankedListOf(transport, "/models", query, options),
	providers: createProviders(transport)
});
var createProviders = (transport) => ({
	list: (query = {}, options) => listOf(transport, "/model-providers", query, options),
	get: (id, options) => get(transport, path`/model-providers/${id}`, options),
	/** Its key goes in and is never shown again. */
	create: (provider, options) => post(transport, "/model-providers", provider, options),
	update: (id, change, options) => patch(transport, path`/model-providers/${id}`, change, options),
	/** Calls one model once; resolves whether or not it answered: look at `ok` and `error`. */
	test: (id, test = {}, options) => post(transport, path`/model-providers/${id}/test`, test, options),
	delete: (id, options) => remove(transport, path`/model-providers/${id}`, options),
	previewDelete: (id, options) => previewRemove(transport, path`/model-providers/${id}`, options)
});
// ../sdk/src/client.ts
/** The client of Atrium's API for Node and browsers: `new Atrium({ apiKey, baseUrl })`. */
var Atrium = class {
	agents;
	runs;
	conversations;
	models;
	knowledge;
	apiKeys;
	auditLog;
	events;
	webhooks;
	callbacks;
	integrations;
	usage;
	workspace;
	#transport;
	constructor(options) {
		const transport = createTransport({
			credentials: credentialsOf(options.apiKey),
			baseUrl: versionedUrl(options.baseUrl),
			fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
			timeoutMs: options.timeoutMs ?? 9e4,
			maxRetries: options.maxRetries ?? 2
		});
		this.#transport = transport;
		this.agents = createAgents(transport);
		this.runs = createRuns(transport);
		this.conversations = createConversations(transport);
		this.models = createModels(transport);
		this.knowledge = createKnowledge(transport);
		this.apiKeys = createApiKeys(transport);
		this.auditLog = createAuditLog(transport);
		this.events = createEvents(transport);
		this.webhooks = createWebhooks(transport);
		this.callbacks = createCallbacks(transport);
		this.integrations = createIntegrations(transport);
		this.usage = createUsage(transport);
		this.workspace = createWorkspace(transport);
	}
	/** Who the key or person is, and what it may do now. */
	me(options) {
		return get(this.#transport, "/me", options);
	}
	/** Any call, such as one that is newer than this package; returns the data with the reply's status and headers. */
	request(outgoing, options) {
		return this.#transport.send(outgoing, options);
	}
};
function credentialsOf(apiKey) {
	if (typeof apiKey === "function") return providedCredentials(apiKey);
	if (apiKey !== void 0 && /^sk_(live|test)_\S+$/.test(apiKey)) return fixedCredentials(apiKey);
	throw new TypeError("apiKey must be an API key: sk_live_… or sk_test_…, or a function that yields tokens");
}
function versionedUrl(baseUrl) {
	if (baseUrl === void 0 || !URL.canParse(baseUrl) || !/^https?:/.test(baseUrl)) throw new TypeError("baseUrl must be an address such as https://atrium.example.com/api/v1");
	const trimmed = baseUrl.replace(/\/+$/, "");
	return new URL(trimmed).pathname === "/" ? `${trimmed}/api/v1` : trimmed;
}
// src/failure.ts
/** How the command ends. Programs tell the cases apart by its exit code. */
var exitCodes = {
	done: 0,
	failed: 1,
	usage: 2,
	signIn: 4,
	interrupted: 130
};
/** An end that the command has foreseen: its message says what to do. */
var Failure = class extends Error {
	name = "Failure";
	ending;
	constructor(message, ending = "failed") {
		super(message);
		this.ending = ending;
	}
};
/** What to tell a person, and the exit code. */
function describeFailure(error) {
	if (error instanceof Failure) return {
		message: error.message,
		code: exitCodes[error.ending],
		details: {}
	};
	if (error instanceof AuthenticationError) return {
		message: `${error.message}\nSign in with \`atrium login\`, or set ATRIUM_API_KEY.`,
		code: exitCodes.signIn,
		details: { code: error.code }
	};
	if (error instanceof ApiError) {
		const { code, requestId, errors } = error;
		return {
			message: `${error.message} (${requestId})`,
			code: exitCodes.failed,
			details: {
				code,
				requestId,
				errors
			}
		};
	}
	if (error instanceof ConnectionError) return {
		message: `The server cannot be reached: ${error.message}`,
		code: exitCodes.failed,
		details: {}
	};
	return {
		message: error instanceof Error ? error.message : String(error),
		code: exitCodes.failed,
		details: {}
	};
}
// src/ask.ts
async function ask({ terminal, options, words, atrium, stdin, signal }) {
	const [named = "", ...question] = words;
	const piped = (await stdin()).trim();
	const prompt = [question.join(" "), piped].filter((part) => part !== "").join("\n\n");
	if (named === "" || prompt === "") throw new Failure("Usage: atrium ask AGENT QUESTION", "usage");
	const client = await atrium();
	const agentId = await idOf(named, /^agt_/, "agent", (name) => client.agents.list({ name }));
	const conversation = options.conversation;
	let runId = null;
	let text = "";
	const stop = () => {
		if (runId !== null) client.runs.cancel(runId).catch(() => void 0);
	};
	signal.addEventListener("abort", stop, { once: true });
	let ended = null;
	const run = {
		prompt,
		...conversation === void 0 ? {} : { conversationId: conversation }
	};
	for await (const event of client.agents.stream(agentId, run, { reconnectMs: 6e4 })) {
		runId = event.runId;
		if (signal.aborted) stop();
		if (event.type === "text.delta") {
			text += event.text;
			terminal.write(event.text);
		}
		if (event.type === "step.restarted" && text !== "") {
			text = "";
			terminal.note("\nThe answer begins again.");
		}
		if (event.type === "step.started" && text !== "") {
			text = "";
			terminal.write("\n\n");
		}
		if ("run" in event) ended = event.run;
	}
	if (ended === null) throw new Failure("The server told nothing of the end of the run");
	terminal.value(ended);
	terminal.write("\n");
	showEnd(ended, terminal);
}
function showEnd(run, terminal) {
	if (run.status === "failed") throw new Failure(`The run ${run.id} failed: ${run.error?.message ?? "no reason given"}`);
	if (run.status === "cancelled") throw new Failure(`The run ${run.id} was stopped`, "interrupted");
	if (run.status === "waiting") throw new Failure(`The run ${run.id} waits for ${[...run.pendingApprovals, ...run.pendingToolCalls].map(({ name }) => name).join(", ")}: decide in the console.`);
	for (const { marker, documentId, page, quote } of run.citations) {
		const where = page === null ? documentId : `${documentId}, page ${page}`;
		terminal.note(terminal.dim(`${marker} ${where}: “${oneLine(quote)}”`));
	}
	terminal.note(terminal.dim(`--conversation ${run.conversationId} asks further`));
}
async function search({ terminal, options, words, atrium }) {
	const query = words.join(" ");
	if (query === "") throw new Failure("Usage: atrium search QUESTION", "usage");
	const client = await atrium();
	const collection = options.collection;
	const collectionIds = collection === void 0 ? void 0 : [await collectionIdOf(client, collection)];
	const pageSize = limitOf(options.limit, 10, 50);
	const { items } = await client.knowledge.search(query, {
		pageSize,
		...collectionIds === void 0 ? {} : { collectionIds }
	}).page();
	for (const hit of items) {
		terminal.value(hit);
		const { title, name, documentId, location } = hit;
		const page = location.page === null ? "" : `, page ${location.page}`;
		terminal.line(`${title ?? name}${page}  ${terminal.dim(documentId)}`);
		terminal.line(`    ${oneLine(hit.text)}\n`);
	}
	if (items.length === 0) terminal.note("Nothing was found.");
}
var collectionIdOf = (client, named) => idOf(named, /^col_/, "collection", (name) => client.knowledge.collections.list({ name }));
/** A record by its id or by its name, whatever its case. */
async function idOf(named, form, what, list) {
	if (form.test(named)) return named;
	const { items } = await list(named).page();
	const [found, other] = items;
	if (found === void 0) throw new Failure(`There is no ${what} named “${named}”.`);
	if (other !== void 0) throw new Failure(`Several are named “${named}”: ${items.map(({ id }) => id).join(", ")}`);
	return found.id;
}
function limitOf(given, usual, most) {
	if (given === void 0) return usual;
	const limit = Number(given);
	if (Number.isInteger(limit) && limit >= 1 && limit <= most) return limit;
	throw new Failure(`--limit must be a number from 1 to ${most}`, "usage");
}
var shownLength = 240;
var oneLine = (text) => {
	const line = text.replace(/\s+/g, " ").trim();
	return line.length > shownLength ? `${line.slice(0, shownLength)}…` : line;
};
// src/completion.ts
/** Scripts that let a shell complete commands and options: `source <(atrium completion bash)`. */
function completionScript(shell, commands) {
	if (shell === "bash") return bash(commands);
	if (shell === "zsh") return zsh(commands);
	if (shell === "fish") return fish(commands);
	throw new Failure("Usage: atrium completion bash|zsh|fish", "usage");
}
var bash = (commands) => `_atrium() {
  local current="\${COMP_WORDS[COMP_CWORD]}" command="\${COMP_WORDS[1]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(" ")}" -- "$current"))
    return
  fi
  case "$command" in
${commands.map(({ name, options }) => `    ${name}) [[ "$current" == -* ]] && COMPREPLY=($(compgen -W "${options.join(" ")}" -- "$current")) ;;`).join("\n")}
  esac
}
complete -o default -F _atrium atrium
`;
var zsh = (commands) => `#compdef atrium
_atrium() {
  local -a commands=(
${commands.map(({ name, summary }) => `    '${name}:${summary.replaceAll("'", "’")}'`).join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case "$words[2]" in
${commands.map(({ name, options }) => `    ${name}) [[ "$words[CURRENT]" == -* ]] && compadd -- ${options.join(" ")} || _files ;;`).join("\n")}
  esac
}
compdef _atrium atrium
`;
var fish = (commands) => `complete -c atrium -f -n __fish_use_subcommand -a "${commands.map(({ name }) => name).join(" ")}"\n${commands.flatMap(({ name, options }) => options.map((option) => `complete -c atrium -n "__fish_seen_subcommand_from ${name}" -l ${option.slice(2)}`)).join("\n")}\n`;
// src/connect.ts
/** The client of a profile: its key, or a person's tokens, which are renewed as they end. */
/** The client_id that every Atrium knows its command line by. */
var clientId = "atrium-cli";
var marginMs = 6e4;
var requestMs = 3e4;
/** ATRIUM_API_KEY and ATRIUM_URL win over the profile. */
async function connect({ profile: wanted, env, store }) {
	const { name, profile } = await store.find(wanted);
	const baseUrl = env.ATRIUM_URL ?? profile?.url;
	const apiKey = env.ATRIUM_API_KEY ?? profile?.apiKey;
	if (apiKey !== void 0) return new Atrium({
		baseUrl: baseUrl ?? "http://127.0.0.1:8787",
		apiKey
	});
	if (profile === void 0 || baseUrl === void 0) throw new Failure(`There is no profile “${name}”. Sign in with \`atrium login\`, or set ATRIUM_API_KEY.`, "signIn");
	return new Atrium({
		baseUrl,
		apiKey: () => tokenOf(name, baseUrl, store)
	});
}
/** Read anew each time: another command may have renewed it. */
async function tokenOf(name, url, store) {
	const { profile } = await store.find(name);
	if (profile?.accessToken === void 0) throw new Failure("Sign in again with `atrium login`.", "signIn");
	const { accessToken, refreshToken = "", expiresAt = 0 } = profile;
	if (expiresAt - marginMs > Date.now()) return {
		token: accessToken,
		expiresAt: new Date(expiresAt)
	};
	const renewed = await postForm(new URL("/oauth/token", url), {
		grant_type: "refresh_token",
		client_id: clientId,
		refresh_token: refreshToken
	});
	if (!renewed.ok) throw new Failure("Your access has ended. Sign in again with `atrium login`.", "signIn");
	const next = profileOf(profile.url, renewed.body);
	await store.save(name, next);
	return {
		token: next.accessToken,
		expiresAt: new Date(next.expiresAt)
	};
}
var profileOf = (url, tokens) => ({
	url,
	accessToken: tokens.access_token,
	refreshToken: tokens.refresh_token,
	expiresAt: Date.now() + tokens.expires_in * 1e3
});
async function postForm(url, fields) {
	const reply = await fetch(url, {
		method: "POST",
		body: new URLSearchParams(fields),
		signal: AbortSignal.timeout(requestMs)
	});
	return {
		ok: reply.ok,
		body: await reply.json().catch(() => ({}))
	};
}
// src/profiles.ts
/** Where servers and secrets are kept: one file that only its user can read, with a profile for each server. */
function createProfileStore(env) {
	const folder = env.ATRIUM_CONFIG_DIR ?? join(env.XDG_CONFIG_HOME || join(homedir(), ".config"), "atrium");
	const file = join(folder, "profiles.json");
	async function read() {
		try {
			return JSON.parse(await readFile(file, "utf8"));
		} catch (error) {
			if (error.code === "ENOENT") return {
				current: "default",
				profiles: {}
			};
			throw new Failure(`${file} cannot be read: ${String(error)}. Correct it, or delete it and sign in again.`);
		}
	}
	/** The whole file or none of it: another command may read it at this moment. */
	async function write(profiles) {
		await mkdir(dirname(file), {
			recursive: true,
			mode: 448
		});
		const next = `${file}.${process.pid}`;
		const handle = await open(next, "w", 384);
		try {
			await handle.writeFile(`${JSON.stringify(profiles, null, 2)}\n`);
		} finally {
			await handle.close();
		}
		await chmod(next, 384);
		await rename(next, file).catch(async (error) => {
			await rm(next, { force: true });
			throw error;
		});
	}
	return {
		file,
		read,
		async find(name) {
			const { current, profiles } = await read();
			const wanted = name ?? current;
			return {
				name: wanted,
				profile: Object.hasOwn(profiles, wanted) ? profiles[wanted] : void 0
			};
		},
		async save(name, profile, { isCurrent = false } = {}) {
			const { current, profiles } = await read();
			await write({
				current: isCurrent ? name : current,
				profiles: {
					...profiles,
					[name]: profile
				}
			});
		},
		async remove(name) {
			const { current, profiles } = await read();
			const { [name]: _, ...others } = profiles;
			await write({
				current: current === name ? Object.keys(others)[0] ?? "default" : current,
				profiles: others
			});
		}
	};
}
// src/sign-in.ts
/** `login`, `logout` and `whoami`. A person confirms a code in any browser, so it works over SSH too. */
async function login({ terminal, store, options, env, stdin, signal }) {
	const { name, profile } = await store.find(options.profile);
	const url = originOf(options.url ?? env.ATRIUM_URL ?? profile?.url ?? "http://127.0.0.1:8787");
	if (options["with-key"] === true) {
		const apiKey = (await stdin()).trim();
		const me = await new Atrium({
			baseUrl: url,
			apiKey
		}).me();
		await store.save(name, {
			url,
			apiKey
		}, { isCurrent: true });
		terminal.note(`The key works in the ${me.environment} environment of ${me.workspace.name}.`);
		return terminal.value({
			profile: name,
			url
		});
	}
	const asked = await postForm(new URL("/oauth/device", url), { client_id: clientId });
	if (!asked.ok) throw new Failure(`${url} gives no codes: ${asked.body.error_description ?? "is it an Atrium?"}`);
	const { device_code, user_code, verification_uri, verification_uri_complete, interval, expires_in } = asked.body;
	terminal.value({
		verificationUrl: verification_uri_complete,
		userCode: user_code,
		expiresInSeconds: expires_in
	});
	terminal.note(`Open ${verification_uri} in a browser and enter the code\n\n    ${user_code}\n\nor follow ${verification_uri_complete}`);
	const tokens = await waitForTokens(url, device_code, {
		interval,
		expires_in,
		signal
	});
	await store.save(name, profileOf(url, tokens), { isCurrent: true });
	const me = await new Atrium({
		baseUrl: url,
		apiKey: async () => tokens.access_token
	}).me();
	terminal.note(`You are signed in to the ${me.environment} environment of ${me.workspace.name}.`);
	terminal.value({
		profile: name,
		url
	});
}
async function waitForTokens(url, deviceCode, { interval, expires_in, signal }) {
	let pauseMs = interval * 1e3;
	for (const until = Date.now() + expires_in * 1e3; Date.now() < until;) {
		await setTimeout$1(pauseMs, void 0, { signal });
		const { ok, body } = await postForm(new URL("/oauth/token", url), {
			grant_type: "urn:ietf:params:oauth:grant-type:device_code",
			client_id: clientId,
			device_code: deviceCode
		});
		if (ok) return body;
		if (body.error === "slow_down") pauseMs += 5e3;
		else if (body.error !== "authorization_pending") throw new Failure(body.error_description ?? "The sign-in was refused", "signIn");
	}
	throw new Failure("The code has expired. Begin again with `atrium login`.", "signIn");
}
/** The tokens end at the server as well; a key goes on to work. */
async function logout({ terminal, store, options }) {
	const { name, profile } = await store.find(options.profile);
	if (profile === void 0) throw new Failure(`There is no profile “${name}”.`, "usage");
	if (profile.refreshToken !== void 0) await postForm(new URL("/oauth/revoke", profile.url), {
		client_id: clientId,
		token: profile.refreshToken
	});
	await store.remove(name);
	terminal.note(`The profile “${name}” is gone from ${store.file}.`);
	terminal.value({ profile: name });
}
async function whoAmI({ terminal, atrium }) {
	const me = await (await atrium()).me();
	terminal.value(me);
	terminal.line(`${me.workspace.name}, ${me.environment} environment, as ${me.role}`);
	terminal.line(`may: ${me.permissions.join(", ")}`);
}
function originOf(url) {
	if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return new URL(url).origin;
	throw new Failure(`--url must be an address such as https://atrium.example.com, not “${url}”`, "usage");
}
// ../node_modules/picomatch/lib/constants.js
var require_constants = /* @__PURE__ */ __commonJSMin(((exports, module) => {
	var WIN_SLASH = "\\\\/";
	var WIN_NO_SLASH = `[^${WIN_SLASH}]`;
	var DEFAULT_MAX_EXTGLOB_RECURSION = 0;
	/**
	* Posix glob regex
	*/
	var DOT_LITERAL = "\\.";
	var PLUS_LITERAL = "\\+";
	var QMARK_LITERAL = "\\?";
	var SLASH_LITERAL = "\\/";
	var ONE_CHAR = "(?=.)";
	var QMARK = "[^/]";
	var END_ANCHOR = `(?:${SLASH_LITERAL}|$)`;
	var START_ANCHOR = `(?:^|${SLASH_LITERAL})`;
	var DOTS_SLASH = `${DOT_LITERAL}{1,2}${END_ANCHOR}`;
	var POSIX_CHARS = {
		DOT_LITERAL,
		PLUS_LITERAL,
		QMARK_LITERAL,
		SLASH_LITERAL,
		ONE_CHAR,
		QMARK,
		END_ANCHOR,
		DOTS_SLASH,
		NO_DOT: `(?!${DOT_LITERAL})`,
		NO_DOTS: `(?!${START_ANCHOR}${DOTS_SLASH})`,
		NO_DOT_SLASH: `(?!${DOT_LITERAL}{0,1}${END_ANCHOR})`,
		NO_DOTS_SLASH: `(?!${DOTS_SLASH})`,
		QMARK_NO_DOT: `[^.${SLASH_LITERAL}]`,
		STAR: `${QMARK}*?`,
		START_ANCHOR,
		SEP: "/"
	};
	/**
	* Windows glob regex
	*/
	var WINDOWS_CHARS = {
		...POSIX_CHARS,
		SLASH_LITERAL: `[${WIN_SLASH}]`,
		QMARK: WIN_NO_SLASH,
		STAR: `${WIN_NO_SLASH}*?`,
		DOTS_SLASH: `${DOT_LITERAL}{1,2}(?:[${WIN_SLASH}]|$)`,
		NO_DOT: `(?!${DOT_LITERAL})`,
		NO_DOTS: `(?!(?:^|[${WIN_SLASH}])${DOT_LITERAL}{1,2}(?:[${WIN_SLASH}]|$))`,
		NO_DOT_SLASH: `(?!${DOT_LITERAL}{0,1}(?:[${WIN_SLASH}]|$))`,
		NO_DOTS_SLASH: `(?!${DOT_LITERAL}{1,2}(?:[${WIN_SLASH}]|$))`,
		QMARK_NO_DOT: `[^.${WIN_SLASH}]`,
		START_ANCHOR: `(?:^|[${WIN_SLASH}])`,
		END_ANCHOR: `(?:[${WIN_SLASH}]|$)`,
		SEP: "\\"
	};
	module.exports = {
		DEFAULT_MAX_EXTGLOB_RECURSION,
		MAX_LENGTH: 65536,
		POSIX_REGEX_SOURCE: {
			__proto__: null,
			alnum: "a-zA-Z0-9",
			alpha: "a-zA-Z",
			ascii: "\\x00-\\x7F",
			blank: " \\t",
			cntrl: "\\x00-\\x1F\\x7F",
			digit: "0-9",
			graph: "\\x21-\\x7E",
			lower: "a-z",
			print: "\\x20-\\x7E ",
			punct: "\\-!\"#$%&'()\\*+,./:;<=>?@[\\]^_`{|}~",
			space: " \\t\\r\\n\\v\\f",
			upper: "A-Z",
			word: "A-Za-z0-9_",
			xdigit: "A-Fa-f0-9"
		},
		REGEX_BACKSLASH: /\\(?![*+?^${}(|)[\]])/g,
		REGEX_NON_SPECIAL_CHARS: /^[^@![\].,$*+?^{}()|\\/]+/,
		REGEX_SPECIAL_CHARS: /[-*+?.^${}(|)[\]]/,
		REGEX_SPECIAL_CHARS_BACKREF: /(\\?)((\W)(\3*))/g,
		REGEX_SPECIAL_CHARS_GLOBAL: /([-*+?.^${}(|)[\]])/g,
		REGEX_REMOVE_BACKSLASH: /(?:\[.*?[^\\]\]|\\(?=.))/g,
		REPLACEMENTS: {
			__proto__: null,
			"***": "*",
			"**/**": "**",
			"**/**/**": "**"
		},
		CHAR_0: 48,
		CHAR_9: 57,
		CHAR_UPPERCASE_A: 65,
		CHAR_LOWERCASE_A: 97,
		CHAR_UPPERCASE_Z: 90,
		CHAR_LOWERCASE_Z: 122,
		CHAR_LEFT_PARENTHESES: 40,
		CHAR_RIGHT_PARENTHESES: 41,
		CHAR_ASTERISK: 42,
		CHAR_AMPERSAND: 38,
		CHAR_AT: 64,
		CHAR_BACKWARD_SLASH: 92,
		CHAR_CARRIAGE_RETURN: 13,
		CHAR_CIRCUMFLEX_ACCENT: 94,
		CHAR_COLON: 58,
		CHAR_COMMA: 44,
		CHAR_DOT: 46,
		CHAR_DOUBLE_QUOTE: 34,
		CHAR_EQUAL: 61,
		CHAR_EXCLAMATION_MARK: 33,
		CHAR_FORM_FEED: 12,
		CHAR_FORWARD_SLASH: 47,
		CHAR_GRAVE_ACCENT: 96,
		CHAR_HASH: 35,
		CHAR_HYPHEN_MINUS: 45,
		CHAR_LEFT_ANGLE_BRACKET: 60,
		CHAR_LEFT_CURLY_BRACE: 123,
		CHAR_LEFT_SQUARE_BRACKET: 91,
		CHAR_LINE_FEED: 10,
		CHAR_NO_BREAK_SPACE: 160,
		CHAR_PERCENT: 37,
		CHAR_PLUS: 43,
		CHAR_QUESTION_MARK: 63,
		CHAR_RIGHT_ANGLE_BRACKET: 62,
		CHAR_RIGHT_CURLY_BRACE: 125,
		CHAR_RIGHT_SQUARE_BRACKET: 93,
		CHAR_SEMICOLON: 59,
		CHAR_SINGLE_QUOTE: 39,
		CHAR_SPACE: 32,
		CHAR_TAB: 9,
		CHAR_UNDERSCORE: 95,
		CHAR_VERTICAL_LINE: 124,
		CHAR_ZERO_WIDTH_NOBREAK_SPACE: 65279,
		/**
		* Create EXTGLOB_CHARS
		*/
		extglobChars(chars) {
			return {
				"!": {
					type: "negate",
					open: "(?:(?!(?:",
					close: `))${chars.STAR})`
				},
				"?": {
					type: "qmark",
					open: "(?:",
					close: ")?"
				},
				"+": {
					type: "plus",
					open: "(?:",
					close: ")+"
				},
				"*": {
					type: "star",
					open: "(?:",
					close: ")*"
				},
				"@": {
					type: "at",
					open: "(?:",
					close: ")"
				}
			};
		},
		/**
		* Create GLOB_CHARS
		*/
		globChars(win32) {
			return win32 === true ? WINDOWS_CHARS : POSIX_CHARS;
		}
	};
}));
// ../node_modules/picomatch/lib/utils.js
var require_utils = /* @__PURE__ */ __commonJSMin(((exports) => {
	var { REGEX_BACKSLASH, REGEX_REMOVE_BACKSLASH, REGEX_SPECIAL_CHARS, REGEX_SPECIAL_CHARS_GLOBAL } = require_constants();
	exports.isObject = (val) => val !== null && typeof val === "object" && !Array.isArray(val);
	exports.hasRegexChars = (str) => REGEX_SPECIAL_CHARS.test(str);
	exports.isRegexChar = (str) => str.length === 1 && exports.hasRegexChars(str);
	exports.escapeRegex = (str) => str.replace(REGEX_SPECIAL_CHARS_GLOBAL, "\\$1");
	exports.toPosixSlashes = (str) => str.replace(REGEX_BACKSLASH, "/");
	exports.isWindows = () => {
		if (typeof navigator !== "undefined" && navigator.platform) {
			const platform = navigator.platform.toLowerCase();
			return platform === "win32" || platform === "windows";
		}
		if (typeof process !== "undefined" && process.platform) return process.platform === "win32";
		return false;
	};
	exports.removeBackslashes = (str) => {
		return str.replace(REGEX_REMOVE_BACKSLASH, (match) => {
			return match === "\\" ? "" : match;
		});
	};
	exports.escapeLast = (input, char, lastIdx) => {
		const idx = input.lastIndexOf(char, lastIdx);
		if (idx === -1) return input;
		if (input[idx - 1] === "\\") return exports.escapeLast(input, char, idx - 1);
		return `${input.slice(0, idx)}\\${input.slice(idx)}`;
	};
	exports.removePrefix = (input, state = {}) => {
		let output = input;
		if (output.startsWith("./")) {
			output = output.slice(2);
			state.prefix = "./";
		}
		return output;
	};
	exports.wrapOutput = (input, state = {}, options = {}) => {
		let output = `${options.contains ? "" : "^"}(?:${input})${options.contains ? "" : "$"}`;
		if (state.negated === true) output = `(?:^(?!${output}).*$)`;
		return output;
	};
	exports.basename = (path, { windows } = {}) => {
		const segs = path.split(windows ? /[\\/]/ : "/");
		const last = segs[segs.length - 1];
		if (last === "") return segs[segs.length - 2];
		return last;
	};
}));
// ../node_modules/picomatch/lib/scan.js
var require_scan = /* @__PURE__ */ __commonJSMin(((exports, module) => {
	var utils = require_utils();
	var { CHAR_ASTERISK, CHAR_AT, CHAR_BACKWARD_SLASH, CHAR_COMMA, CHAR_DOT, CHAR_EXCLAMATION_MARK, CHAR_FORWARD_SLASH, CHAR_LEFT_CURLY_BRACE, CHAR_LEFT_PARENTHESES, CHAR_LEFT_SQUARE_BRACKET, CHAR_PLUS, CHAR_QUESTION_MARK, CHAR_RIGHT_CURLY_BRACE, CHAR_RIGHT_PARENTHESES, CHAR_RIGHT_SQUARE_BRACKET } = require_constants();
	var isPathSeparator = (code) => {
		return code === CHAR_FORWARD_SLASH || code === CHAR_BACKWARD_SLASH;
	};
	var depth = (token) => {
		if (token.isPrefix !== true) token.depth = token.isGlobstar ? Infinity : 1;
	};
	/**
	* Quickly scans a glob pattern and returns an object with a handful of
	* useful properties, like `isGlob`, `path` (the leading non-glob, if it exists),
	* `glob` (the actual pattern), `negated` (true if the path starts with `!` but not
	* with `!(`) and `negatedExtglob` (true if the path starts with `!(`).
	*
	* ```js
	* const pm = require('picomatch');
	* console.log(pm.scan('foo/bar/*.js'));
	* { isGlob: true, input: 'foo/bar/*.js', base: 'foo/bar', glob: '*.js' }
	* ```
	* @param {String} `str`
	* @param {Object} `options`
	* @return {Object} Returns an object with tokens and regex source string.
	* @api public
	*/
	var scan = (input, options) => {
		const opts = options || {};
		const length = input.length - 1;
		const scanToEnd = opts.parts === true || opts.tokens === true || opts.scanToEnd === true;
		const slashes = [];
		const tokens = [];
		const parts = [];
		let str = input;
		let index = -1;
		let start = 0;
		let lastIndex = 0;
		let isBrace = false;
		let isBracket = false;
		let isGlob = false;
		let isExtglob = false;
		let isGlobstar = false;
		let braceEscaped = false;
		let backslashes = false;
		let negated = false;
		let negatedExtglob = false;
		let finished = false;
		let braces = 0;
		let prev;
		let code;
		let token = {
			value: "",
			depth: 0,
			isGlob: false
		};
		const eos = () => index >= length;
		const peek = () => str.charCodeAt(index + 1);
		const advance = () => {
			prev = code;
			return str.charCodeAt(++index);
		};
		while (index < length) {
			code = advance();
			let next;
			if (code === CHAR_BACKWARD_SLASH) {
				backslashes = token.backslashes = true;
				code = advance();
				if (code === CHAR_LEFT_CURLY_BRACE) braceEscaped = true;
				continue;
			}
			if (braceEscaped === true || code === CHAR_LEFT_CURLY_BRACE) {
				braces++;
				while (eos() !== true && (code = advance())) {
					if (code === CHAR_BACKWARD_SLASH) {
						backslashes = token.backslashes = true;
						advance();
						continue;
					}
					if (code === CHAR_LEFT_CURLY_BRACE) {
						braces++;
						continue;
					}
					if (braceEscaped !== true && code === CHAR_DOT && (code = advance()) === CHAR_DOT) {
						isBrace = token.isBrace = true;
						isGlob = token.isGlob = true;
						finished = true;
						if (scanToEnd === true) continue;
						break;
					}
					if (braceEscaped !== true && code === CHAR_COMMA) {
						isBrace = token.isBrace = true;
						isGlob = token.isGlob = true;
						finished = true;
						if (scanToEnd === true) continue;
						break;
					}
					if (code === CHAR_RIGHT_CURLY_BRACE) {
						braces--;
						if (braces === 0) {
							braceEscaped = false;
							isBrace = token.isBrace = true;
							finished = true;
							break;
						}
					}
				}
				if (scanToEnd === true) continue;
				break;
			}
			if (code === CHAR_FORWARD_SLASH) {
				slashes.push(index);
				tokens.push(token);
				token = {
					value: "",
					depth: 0,
					isGlob: false
				};
				if (finished === true) continue;
				if (prev === CHAR_DOT && index === start + 1) {
					start += 2;
					continue;
				}
				lastIndex = index + 1;
				continue;
			}
			if (opts.noext !== true) {
				if ((code === CHAR_PLUS || code === CHAR_AT || code === CHAR_ASTERISK || code === CHAR_QUESTION_MARK || code === CHAR_EXCLAMATION_MARK) === true && peek() === CHAR_LEFT_PARENTHESES) {
					isGlob = token.isGlob = true;
					isExtglob = token.isExtglob = true;
					finished = true;
					if (code === CHAR_EXCLAMATION_MARK && index === start) negatedExtglob = true;
					if (scanToEnd === true) {
						let parens = 0;
						while (eos() !== true && (code = advance())) {
							if (code === CHAR_BACKWARD_SLASH) {
								backslashes = token.backslashes = true;
								advance();
								continue;
							}
							if (code === CHAR_LEFT_PARENTHESES) {
								parens++;
								continue;
							}
							if (code === CHAR_RIGHT_PARENTHESES && --parens === 0) {
								finished = true;
								break;
							}
						}
						continue;
					}
					break;
				}
			}
			if (code === CHAR_ASTERISK) {
				if (prev === CHAR_ASTERISK) isGlobstar = token.isGlobstar = true;
				isGlob = token.isGlob = true;
				finished = true;
				if (scanToEnd === true) continue;
				break;
			}
			if (code === CHAR_QUESTION_MARK) {
				isGlob = token.isGlob = true;
				finished = true;
				if (scanToEnd === true) continue;
				break;
			}
			if (code === CHAR_LEFT_SQUARE_BRACKET) {
				while (eos() !== true && (next = advance())) {
					if (next === CHAR_BACKWARD_SLASH) {
						backslashes = token.backslashes = true;
						advance();
						continue;
					}
					if (next === CHAR_RIGHT_SQUARE_BRACKET) {
						isBracket = token.isBracket = true;
						isGlob = token.isGlob = true;
						finished = true;
						break;
					}
				}
				if (scanToEnd === true) continue;
				break;
			}
			if (opts.nonegate !== true && code === CHAR_EXCLAMATION_MARK && index === start) {
				negated = token.negated = true;
				start++;
				continue;
			}
			if (opts.noparen !== true && code === CHAR_LEFT_PARENTHESES) {
				isGlob = token.isGlob = true;
				if (scanToEnd === true) {
					let parens = 1;
					while (eos() !== true && (code = advance())) {
						if (code === CHAR_BACKWARD_SLASH) {
							backslashes = token.backslashes = true;
							advance();
							continue;
						}
						if (code === CHAR_LEFT_PARENTHESES) {
							parens++;
							continue;
						}
						if (code === CHAR_RIGHT_PARENTHESES && --parens === 0) {
							finished = true;
							break;
						}
					}
					continue;
				}
				break;
			}
			if (isGlob === true) {
				finished = true;
				if (scanToEnd === true) continue;
				break;
			}
		}
		if (opts.noext === true) {
			isExtglob = false;
			isGlob = false;
		}
		let base = str;
		let prefix = "";
		let glob = "";
		if (start > 0) {
			prefix = str.slice(0, start);
			str = str.slice(start);
			lastIndex -= start;
		}
		if (base && isGlob === true && lastIndex > 0) {
			base = str.slice(0, lastIndex);
			glob = str.slice(lastIndex);
		} else if (isGlob === true) {
			base = "";
			glob = str;
		} else base = str;
		if (base && base !== "" && base !== "/" && base !== str) {
			if (isPathSeparator(base.charCodeAt(base.length - 1))) base = base.slice(0, -1);
		}
		if (opts.unescape === true) {
			if (glob) glob = utils.removeBackslashes(glob);
			if (base && backslashes === true) base = utils.removeBackslashes(base);
		}
		const state = {
			prefix,
			input,
			start,
			base,
			glob,
			isBrace,
			isBracket,
			isGlob,
			isExtglob,
			isGlobstar,
			negated,
			negatedExtglob
		};
		if (opts.tokens === true) {
			state.maxDepth = 0;
			if (!isPathSeparator(code)) tokens.push(token);
			state.tokens = tokens;
		}
		if (opts.parts === true || opts.tokens === true) {
			let prevIndex;
			for (let idx = 0; idx < slashes.length; idx++) {
				const n = prevIndex !== void 0 ? prevIndex + 1 : start;
				const i = slashes[idx];
				const value = input.slice(n, i);
				if (opts.tokens) {
					if (idx === 0 && start !== 0) {
						tokens[idx].isPrefix = true;
						tokens[idx].value = prefix;
					} else tokens[idx].value = value;
					depth(tokens[idx]);
					state.maxDepth += tokens[idx].depth;
				}
				if (i >= start) {
					parts.push(value);
					prevIndex = i;
				}
			}
			const n = prevIndex !== void 0 ? prevIndex + 1 : start;
			const value = input.slice(n);
			parts.push(value);
			if (opts.tokens && prevIndex && prevIndex + 1 < input.length) {
				tokens[tokens.length - 1].value = value;
				depth(tokens[tokens.length - 1]);
				state.maxDepth += tokens[tokens.length - 1].depth;
			}
			state.slashes = slashes;
			state.parts = parts;
		}
		return state;
	};
	module.exports = scan;
}));
// ../node_modules/picomatch/lib/parse.js
var require_parse = /* @__PURE__ */ __commonJSMin(((exports, module) => {
	var constants = require_constants();
	var utils = require_utils();
	/**
	* Constants
	*/
	var { MAX_LENGTH, POSIX_REGEX_SOURCE, REGEX_NON_SPECIAL_CHARS, REGEX_SPECIAL_CHARS_BACKREF, REPLACEMENTS } = constants;
	/**
	* Helpers
	*/
	var expandRange = (args, options) => {
		if (typeof options.expandRange === "function") return options.expandRange(...args, options);
		args.sort();
		const value = `[${args.join("-")}]`;
		try {
			new RegExp(value);
		} catch (ex) {
			return args.map((v) => utils.escapeRegex(v)).join("..");
		}
		return value;
	};
	/**
	* Create the message for a syntax error
	*/
	var syntaxError = (type, char) => {
		return `Missing ${type}: "${char}" - use "\\\\${char}" to match literal characters`;
	};
	var splitTopLevel = (input) => {
		const parts = [];
		let bracket = 0;
		let paren = 0;
		let quote = 0;
		let value = "";
		let escaped = false;
		for (const ch of input) {
			if (escaped === true) {
				value += ch;
				escaped = false;
				continue;
			}
			if (ch === "\\") {
				value += ch;
				escaped = true;
				continue;
			}
			if (ch === "\"") {
				quote = quote === 1 ? 0 : 1;
				value += ch;
				continue;
			}
			if (quote === 0) {
				if (ch === "[") bracket++;
				else if (ch === "]" && bracket > 0) bracket--;
				else if (bracket === 0) {
					if (ch === "(") paren++;
					else if (ch === ")" && paren > 0) paren--;
					else if (ch === "|" && paren === 0) {
						parts.push(value);
						value = "";
						continue;
					}
				}
			}
			value += ch;
		}
		parts.push(value);
		return parts;
	};
	var isPlainBranch = (branch) => {
		let escaped = false;
		for (const ch of branch) {
			if (escaped === true) {
				escaped = false;
				continue;
			}
			if (ch === "\\") {
				escaped = true;
				continue;
			}
			if (/[?*+@!()[\]{}]/.test(ch)) return false;
		}
		return true;
	};
	var normalizeSimpleBranch = (branch) => {
		let value = branch.trim();
		let changed = true;
		while (changed === true) {
			changed = false;
			if (/^@\([^\\()[\]{}|]+\)$/.test(value)) {
				value = value.slice(2, -1);
				changed = true;
			}
		}
		if (!isPlainBranch(value)) return;
		return value.replace(/\\(.)/g, "$1");
	};
	var hasRepeatedCharPrefixOverlap = (branches) => {
		const values = branches.map(normalizeSimpleBranch).filter(Boolean);
		for (let i = 0; i < values.length; i++) for (let j = i + 1; j < values.length; j++) {
			const a = values[i];
			const b = values[j];
			const char = a[0];
			if (!char || a !== char.repeat(a.length) || b !== char.repeat(b.length)) continue;
			if (a === b || a.startsWith(b) || b.startsWith(a)) return true;
		}
		return false;
	};
	var parseRepeatedExtglob = (pattern, requireEnd = true) => {
		if (pattern[0] !== "+" && pattern[0] !== "*" || pattern[1] !== "(") return;
		let bracket = 0;
		let paren = 0;
		let quote = 0;
		let escaped = false;
		for (let i = 1; i < pattern.length; i++) {
			const ch = pattern[i];
			if (escaped === true) {
				escaped = false;
				continue;
			}
			if (ch === "\\") {
				escaped = true;
				continue;
			}
			if (ch === "\"") {
				quote = quote === 1 ? 0 : 1;
				continue;
			}
			if (quote === 1) continue;
			if (ch === "[") {
				bracket++;
				continue;
			}
			if (ch === "]" && bracket > 0) {
				bracket--;
				continue;
			}
			if (bracket > 0) continue;
			if (ch === "(") {
				paren++;
				continue;
			}
			if (ch === ")") {
				paren--;
				if (paren === 0) {
					if (requireEnd === true && i !== pattern.length - 1) return;
					return {
						type: pattern[0],
						body: pattern.slice(2, i),
						end: i
					};
				}
			}
		}
	};
	var buildCharClassStar = (chars) => {
		return `${chars.length === 1 ? utils.escapeRegex(chars[0]) : `[${chars.map((ch) => utils.escapeRegex(ch)).join("")}]`}*`;
	};
	var getStarExtglobSequenceChars = (pattern) => {
		let index = 0;
		const chars = [];
		while (index < pattern.length) {
			const match = parseRepeatedExtglob(pattern.slice(index), false);
			if (!match || match.type !== "*") return;
			const branches = splitTopLevel(match.body).map((branch) => branch.trim());
			if (branches.length !== 1) return;
			const branch = normalizeSimpleBranch(branches[0]);
			if (!branch || branch.length !== 1) return;
			chars.push(branch);
			index += match.end + 1;
		}
		if (chars.length < 1) return;
		return chars;
	};
	var repeatedExtglobRecursion = (pattern) => {
		let depth = 0;
		let value = pattern.trim();
		let match = parseRepeatedExtglob(value);
		while (match) {
			depth++;
			value = match.body.trim();
			match = parseRepeatedExtglob(value);
		}
		return depth;
	};
	var analyzeRepeatedExtglob = (body, options) => {
		if (options.maxExtglobRecursion === false) return { risky: false };
		const max = typeof options.maxExtglobRecursion === "number" ? options.maxExtglobRecursion : constants.DEFAULT_MAX_EXTGLOB_RECURSION;
		const branches = splitTopLevel(body).map((branch) => branch.trim());
		if (branches.length > 1) {
			if (branches.some((branch) => branch === "") || branches.some((branch) => /^[*?]+$/.test(branch)) || hasRepeatedCharPrefixOverlap(branches)) return { risky: true };
		}
		const safeChars = [];
		let sawStarSequence = false;
		let combinable = true;
		for (const branch of branches) {
			const chars = getStarExtglobSequenceChars(branch);
			if (chars) {
				sawStarSequence = true;
				safeChars.push(...chars);
				continue;
			}
			const literal = normalizeSimpleBranch(branch);
			if (literal && literal.length === 1) {
				safeChars.push(literal);
				continue;
			}
			combinable = false;
			if (repeatedExtglobRecursion(branch) > max) return { risky: true };
		}
		if (sawStarSequence) return combinable ? {
			risky: true,
			safeOutput: buildCharClassStar([...new Set(safeChars)])
		} : { risky: true };
		return { risky: false };
	};
	/**
	* Parse the given input string.
	* @param {String} input
	* @param {Object} options
	* @return {Object}
	*/
	var parse = (input, options) => {
		if (typeof input !== "string") throw new TypeError("Expected a string");
		input = REPLACEMENTS[input] || input;
		const opts = { ...options };
		const max = typeof opts.maxLength === "number" ? Math.min(MAX_LENGTH, opts.maxLength) : MAX_LENGTH;
		let len = input.length;
		if (len > max) throw new SyntaxError(`Input length: ${len}, exceeds maximum allowed length: ${max}`);
		const bos = {
			type: "bos",
			value: "",
			output: opts.prepend || ""
		};
		const tokens = [bos];
		const capture = opts.capture ? "" : "?:";
		const PLATFORM_CHARS = constants.globChars(opts.windows);
		const EXTGLOB_CHARS = constants.extglobChars(PLATFORM_CHARS);
		const { DOT_LITERAL, PLUS_LITERAL, SLASH_LITERAL, ONE_CHAR, DOTS_SLASH, NO_DOT, NO_DOT_SLASH, NO_DOTS_SLASH, QMARK, QMARK_NO_DOT, STAR, START_ANCHOR } = PLATFORM_CHARS;
		const globstar = (opts) => {
			return `(${capture}(?:(?!${START_ANCHOR}${opts.dot ? DOTS_SLASH : DOT_LITERAL}).)*?)`;
		};
		const nodot = opts.dot ? "" : NO_DOT;
		const qmarkNoDot = opts.dot ? QMARK : QMARK_NO_DOT;
		let star = opts.bash === true ? globstar(opts) : STAR;
		if (opts.capture) star = `(${star})`;
		if (typeof opts.noext === "boolean") opts.noextglob = opts.noext;
		const state = {
			input,
			index: -1,
			start: 0,
			dot: opts.dot === true,
			consumed: "",
			output: "",
			prefix: "",
			backtrack: false,
			negated: false,
			brackets: 0,
			braces: 0,
			parens: 0,
			quotes: 0,
			globstar: false,
			tokens
		};
		input = utils.removePrefix(input, state);
		len = input.length;
		const extglobs = [];
		const braces = [];
		const stack = [];
		let prev = bos;
		let value;
		/**
		* Tokenizing helpers
		*/
		const eos = () => state.index === len - 1;
		const peek = state.peek = (n = 1) => input[state.index + n];
		const advance = state.advance = () => input[++state.index] || "";
		const remaining = () => input.slice(state.index + 1);
		const consume = (value = "", num = 0) => {
			state.consumed += value;
			state.index += num;
		};
		const append = (token) => {
			state.output += token.output != null ? token.output : token.value;
			consume(token.value);
		};
		const negate = () => {
			let count = 1;
			while (peek() === "!" && (peek(2) !== "(" || peek(3) === "?")) {
				advance();
				state.start++;
				count++;
			}
			if (count % 2 === 0) return false;
			state.negated = true;
			state.start++;
			return true;
		};
		const increment = (type) => {
			state[type]++;
			stack.push(type);
		};
		const decrement = (type) => {
			state[type]--;
			stack.pop();
		};
		/**
		* Push tokens onto the tokens array. This helper speeds up
		* tokenizing by 1) helping us avoid backtracking as much as possible,
		* and 2) helping us avoid creating extra tokens when consecutive
		* characters are plain text. This improves performance and simplifies
		* lookbehinds.
		*/
		const push = (tok) => {
			if (prev.type === "globstar") {
				const isBrace = state.braces > 0 && (tok.type === "comma" || tok.type === "brace");
				const isExtglob = tok.extglob === true || extglobs.length && (tok.type === "pipe" || tok.type === "paren");
				if (tok.type !== "slash" && tok.type !== "paren" && !isBrace && !isExtglob) {
					state.output = state.output.slice(0, -prev.output.length);
					prev.type = "star";
					prev.value = "*";
					prev.output = star;
					state.output += prev.output;
				}
			}
			if (extglobs.length && tok.type !== "paren") extglobs[extglobs.length - 1].inner += tok.value;
			if (tok.value || tok.output) append(tok);
			if (prev && prev.type === "text" && tok.type === "text") {
				prev.output = (prev.output || prev.value) + tok.value;
				prev.value += tok.value;
				return;
			}
			tok.prev = prev;
			tokens.push(tok);
			prev = tok;
		};
		const extglobOpen = (type, value) => {
			const token = {
				...EXTGLOB_CHARS[value],
				conditions: 1,
				inner: ""
			};
			token.prev = prev;
			token.parens = state.parens;
			token.output = state.output;
			token.startIndex = state.index;
			token.tokensIndex = tokens.length;
			const output = (opts.capture ? "(" : "") + token.open;
			increment("parens");
			push({
				type,
				value,
				output: state.output ? "" : ONE_CHAR
			});
			push({
				type: "paren",
				extglob: true,
				value: advance(),
				output
			});
			extglobs.push(token);
		};
		const extglobClose = (token) => {
			const literal = input.slice(token.startIndex, state.index + 1);
			const analysis = analyzeRepeatedExtglob(input.slice(token.startIndex + 2, state.index), opts);
			if ((token.type === "plus" || token.type === "star") && analysis.risky) {
				const safeOutput = analysis.safeOutput ? (token.output ? "" : ONE_CHAR) + (opts.capture ? `(${analysis.safeOutput})` : analysis.safeOutput) : void 0;
				const open = tokens[token.tokensIndex];
				open.type = "text";
				open.value = literal;
				open.output = safeOutput || utils.escapeRegex(literal);
				for (let i = token.tokensIndex + 1; i < tokens.length; i++) {
					tokens[i].value = "";
					tokens[i].output = "";
					delete tokens[i].suffix;
				}
				state.output = token.output + open.output;
				state.backtrack = true;
				push({
					type: "paren",
					extglob: true,
					value,
					output: ""
				});
				decrement("parens");
				return;
			}
			let output = token.close + (opts.capture ? ")" : "");
			let rest;
			if (token.type === "negate") {
				let extglobStar = star;
				if (token.inner && token.inner.length > 1 && token.inner.includes("/")) extglobStar = globstar(opts);
				if (extglobStar !== star || eos() || /^\)+$/.test(remaining())) output = token.close = `)$))${extglobStar}`;
				if (token.inner.includes("*") && (rest = remaining()) && /^\.[^\\/.]+$/.test(rest)) output = token.close = `)${parse(rest, {
					...options,
					fastpaths: false
				}).output})${extglobStar})`;
				if (token.prev.type === "bos") state.negatedExtglob = true;
			}
			push({
				type: "paren",
				extglob: true,
				value,
				output
			});
			decrement("parens");
		};
		/**
		* Fast paths
		*/
		if (opts.fastpaths !== false && !/(^[*!]|[/()[\]{}"])/.test(input)) {
			let backslashes = false;
			let output = input.replace(REGEX_SPECIAL_CHARS_BACKREF, (m, esc, chars, first, rest, index) => {
				if (first === "\\") {
					backslashes = true;
					return m;
				}
				if (first === "?") {
					if (esc) return esc + first + (rest ? QMARK.repeat(rest.length) : "");
					if (index === 0) return qmarkNoDot + (rest ? QMARK.repeat(rest.length) : "");
					return QMARK.repeat(chars.length);
				}
				if (first === ".") return DOT_LITERAL.repeat(chars.length);
				if (first === "*") {
					if (esc) return esc + first + (rest ? star : "");
					return star;
				}
				return esc ? m : `\\${m}`;
			});
			if (backslashes === true) {
				if (opts.unescape === true) output = output.replace(/\\/g, "");
				else output = output.replace(/\\+/g, (m) => {
					return m.length % 2 === 0 ? "\\\\" : m ? "\\" : "";
				});
			}
			if (output === input && opts.contains === true) {
				state.output = input;
				return state;
			}
			state.output = utils.wrapOutput(output, state, options);
			return state;
		}
		/**
		* Tokenize input until we reach end-of-string
		*/
		while (!eos()) {
			value = advance();
			if (value === "\0") continue;
			/**
			* Escaped characters
			*/
			if (value === "\\") {
				const next = peek();
				if (next === "/" && opts.bash !== true) continue;
				if (next === "." || next === ";") continue;
				if (!next) {
					value += "\\";
					push({
						type: "text",
						value
					});
					continue;
				}
				const match = /^\\+/.exec(remaining());
				let slashes = 0;
				if (match && match[0].length > 2) {
					slashes = match[0].length;
					state.index += slashes;
					if (slashes % 2 !== 0) value += "\\";
				}
				if (opts.unescape === true) value = advance();
				else value += advance();
				if (state.brackets === 0) {
					push({
						type: "text",
						value
					});
					continue;
				}
			}
			/**
			* If we're inside a regex character class, continue
			* until we reach the closing bracket.
			*/
			if (state.brackets > 0 && (value !== "]" || prev.value === "[" || prev.value === "[^")) {
				if (opts.posix !== false && value === ":") {
					const inner = prev.value.slice(1);
					if (inner.includes("[")) {
						prev.posix = true;
						if (inner.includes(":")) {
							const idx = prev.value.lastIndexOf("[");
							const pre = prev.value.slice(0, idx);
							const posix = POSIX_REGEX_SOURCE[prev.value.slice(idx + 2)];
							if (posix) {
								prev.value = pre + posix;
								state.backtrack = true;
								advance();
								if (!bos.output && tokens.indexOf(prev) === 1) bos.output = ONE_CHAR;
								continue;
							}
						}
					}
				}
				if (value === "[" && peek() !== ":" || value === "-" && peek() === "]") value = `\\${value}`;
				if (value === "]" && (prev.value === "[" || prev.value === "[^")) value = `\\${value}`;
				if (opts.posix === true && value === "!" && prev.value === "[") value = "^";
				prev.value += value;
				append({ value });
				continue;
			}
			/**
			* If we're inside a quoted string, continue
			* until we reach the closing double quote.
			*/
			if (state.quotes === 1 && value !== "\"") {
				value = utils.escapeRegex(value);
				prev.value += value;
				append({ value });
				continue;
			}
			/**
			* Double quotes
			*/
			if (value === "\"") {
				state.quotes = state.quotes === 1 ? 0 : 1;
				if (opts.keepQuotes === true) push({
					type: "text",
					value
				});
				continue;
			}
			/**
			* Parentheses
			*/
			if (value === "(") {
				increment("parens");
				push({
					type: "paren",
					value
				});
				continue;
			}
			if (value === ")") {
				if (state.parens === 0 && opts.strictBrackets === true) throw new SyntaxError(syntaxError("opening", "("));
				const extglob = extglobs[extglobs.length - 1];
				if (extglob && state.parens === extglob.parens + 1) {
					extglobClose(extglobs.pop());
					continue;
				}
				push({
					type: "paren",
					value,
					output: state.parens ? ")" : "\\)"
				});
				decrement("parens");
				continue;
			}
			/**
			* Square brackets
			*/
			if (value === "[") {
				if (opts.nobracket === true || !remaining().includes("]")) {
					if (opts.nobracket !== true && opts.strictBrackets === true) throw new SyntaxError(syntaxError("closing", "]"));
					value = `\\${value}`;
				} else increment("brackets");
				push({
					type: "bracket",
					value
				});
				continue;
			}
			if (value === "]") {
				if (opts.nobracket === true || prev && prev.type === "bracket" && prev.value.length === 1) {
					push({
						type: "text",
						value,
						output: `\\${value}`
					});
					continue;
				}
				if (state.brackets === 0) {
					if (opts.strictBrackets === true) throw new SyntaxError(syntaxError("opening", "["));
					push({
						type: "text",
						value,
						output: `\\${value}`
					});
					continue;
				}
				decrement("brackets");
				const prevValue = prev.value.slice(1);
				if (prev.posix !== true && prevValue[0] === "^" && !prevValue.includes("/")) value = `/${value}`;
				prev.value += value;
				append({ value });
				if (opts.literalBrackets === false || utils.hasRegexChars(prevValue)) continue;
				const escaped = utils.escapeRegex(prev.value);
				state.output = state.output.slice(0, -prev.value.length);
				if (opts.literalBrackets === true) {
					state.output += escaped;
					prev.value = escaped;
					continue;
				}
				prev.value = `(${capture}${escaped}|${prev.value})`;
				state.output += prev.value;
				continue;
			}
			/**
			* Braces
			*/
			if (value === "{" && opts.nobrace !== true) {
				increment("braces");
				const open = {
					type: "brace",
					value,
					output: "(",
					outputIndex: state.output.length,
					tokensIndex: state.tokens.length
				};
				braces.push(open);
				push(open);
				continue;
			}
			if (value === "}") {
				const brace = braces[braces.length - 1];
				if (opts.nobrace === true || !brace) {
					push({
						type: "text",
						value,
						output: value
					});
					continue;
				}
				let output = ")";
				if (brace.dots === true) {
					const arr = tokens.slice();
					const range = [];
					for (let i = arr.length - 1; i >= 0; i--) {
						tokens.pop();
						if (arr[i].type === "brace") break;
						if (arr[i].type !== "dots") range.unshift(arr[i].value);
					}
					output = expandRange(range, opts);
					state.backtrack = true;
				}
				if (brace.comma !== true && brace.dots !== true) {
					const out = state.output.slice(0, brace.outputIndex);
					const toks = state.tokens.slice(brace.tokensIndex);
					brace.value = brace.output = "\\{";
					value = output = "\\}";
					state.output = out;
					for (const t of toks) state.output += t.output || t.value;
				}
				push({
					type: "brace",
					value,
					output
				});
				decrement("braces");
				braces.pop();
				continue;
			}
			/**
			* Pipes
			*/
			if (value === "|") {
				if (extglobs.length > 0) extglobs[extglobs.length - 1].conditions++;
				push({
					type: "text",
					value
				});
				continue;
			}
			/**
			* Commas
			*/
			if (value === ",") {
				let output = value;
				const brace = braces[braces.length - 1];
				if (brace && stack[stack.length - 1] === "braces") {
					brace.comma = true;
					output = "|";
				}
				push({
					type: "comma",
					value,
					output
				});
				continue;
			}
			/**
			* Slashes
			*/
			if (value === "/") {
				if (prev.type === "dot" && state.index === state.start + 1) {
					state.start = state.index + 1;
					state.consumed = "";
					state.output = "";
					tokens.pop();
					prev = bos;
					continue;
				}
				push({
					type: "slash",
					value,
					output: SLASH_LITERAL
				});
				continue;
			}
			/**
			* Dots
			*/
			if (value === ".") {
				if (state.braces > 0 && prev.type === "dot") {
					if (prev.value === ".") prev.output = DOT_LITERAL;
					const brace = braces[braces.length - 1];
					prev.type = "dots";
					prev.output += value;
					prev.value += value;
					brace.dots = true;
					continue;
				}
				if (state.braces + state.parens === 0 && prev.type !== "bos" && prev.type !== "slash") {
					push({
						type: "text",
						value,
						output: DOT_LITERAL
					});
					continue;
				}
				push({
					type: "dot",
					value,
					output: DOT_LITERAL
				});
				continue;
			}
			/**
			* Question marks
			*/
			if (value === "?") {
				if (!(prev && prev.value === "(") && opts.noextglob !== true && peek() === "(" && peek(2) !== "?") {
					extglobOpen("qmark", value);
					continue;
				}
				if (prev && prev.type === "paren") {
					const next = peek();
					let output = value;
					if (prev.value === "(" && !/[!=<:]/.test(next) || next === "<" && !/<([!=]|\w+>)/.test(remaining())) output = `\\${value}`;
					push({
						type: "text",
						value,
						output
					});
					continue;
				}
				if (opts.dot !== true && (prev.type === "slash" || prev.type === "bos")) {
					push({
						type: "qmark",
						value,
						output: QMARK_NO_DOT
					});
					continue;
				}
				push({
					type: "qmark",
					value,
					output: QMARK
				});
				continue;
			}
			/**
			* Exclamation
			*/
			if (value === "!") {
				if (opts.noextglob !== true && peek() === "(") {
					if (peek(2) !== "?" || !/[!=<:]/.test(peek(3))) {
						extglobOpen("negate", value);
						continue;
					}
				}
				if (opts.nonegate !== true && state.index === 0) {
					negate();
					continue;
				}
			}
			/**
			* Plus
			*/
			if (value === "+") {
				if (opts.noextglob !== true && peek() === "(" && peek(2) !== "?") {
					extglobOpen("plus", value);
					continue;
				}
				if (prev && prev.value === "(" || opts.regex === false) {
					push({
						type: "plus",
						value,
						output: PLUS_LITERAL
					});
					continue;
				}
				if (prev && (prev.type === "bracket" || prev.type === "paren" || prev.type === "brace") || state.parens > 0) {
					push({
						type: "plus",
						value
					});
					continue;
				}
				push({
					type: "plus",
					value: PLUS_LITERAL
				});
				continue;
			}
			/**
			* Plain text
			*/
			if (value === "@") {
				if (opts.noextglob !== true && peek() === "(" && peek(2) !== "?") {
					push({
						type: "at",
						extglob: true,
						value,
						output: ""
					});
					continue;
				}
				push({
					type: "text",
					value
				});
				continue;
			}
			/**
			* Plain text
			*/
			if (value !== "*") {
				if (value === "$" || value === "^") value = `\\${value}`;
				const match = REGEX_NON_SPECIAL_CHARS.exec(remaining());
				if (match) {
					value += match[0];
					state.index += match[0].length;
				}
				push({
					type: "text",
					value
				});
				continue;
			}
			/**
			* Stars
			*/
			if (prev && (prev.type === "globstar" || prev.star === true)) {
				prev.type = "star";
				prev.star = true;
				prev.value += value;
				prev.output = star;
				state.backtrack = true;
				state.globstar = true;
				consume(value);
				continue;
			}
			let rest = remaining();
			if (opts.noextglob !== true && /^\([^?]/.test(rest)) {
				extglobOpen("star", value);
				continue;
			}
			if (prev.type === "star") {
				if (opts.noglobstar === true) {
					consume(value);
					continue;
				}
				const prior = prev.prev;
				const before = prior.prev;
				const isStart = prior.type === "slash" || prior.type === "bos";
				const afterStar = before && (before.type === "star" || before.type === "globstar");
				if (opts.bash === true && (!isStart || rest[0] && rest[0] !== "/")) {
					push({
						type: "star",
						value,
						output: ""
					});
					continue;
				}
				const isBrace = state.braces > 0 && (prior.type === "comma" || prior.type === "brace");
				const isExtglob = extglobs.length && (prior.type === "pipe" || prior.type === "paren");
				if (!isStart && prior.type !== "paren" && !isBrace && !isExtglob) {
					push({
						type: "star",
						value,
						output: ""
					});
					continue;
				}
				while (rest.slice(0, 3) === "/**") {
					const after = input[state.index + 4];
					if (after && after !== "/") break;
					rest = rest.slice(3);
					consume("/**", 3);
				}
				const isEnd = eos() || state.parens > 0 && rest === ")".repeat(state.parens) && !extglobs.some((extglob) => extglob.type === "negate");
				if (prior.type === "bos" && eos()) {
					prev.type = "globstar";
					prev.value += value;
					prev.output = globstar(opts);
					state.output = prev.output;
					state.globstar = true;
					consume(value);
					continue;
				}
				if (prior.type === "slash" && prior.prev.type !== "bos" && !afterStar && isEnd) {
					state.output = state.output.slice(0, -(prior.output + prev.output).length);
					prior.output = `(?:${prior.output}`;
					prev.type = "globstar";
					prev.output = globstar(opts) + (opts.strictSlashes ? ")" : "|$)");
					prev.value += value;
					state.globstar = true;
					state.output += prior.output + prev.output;
					consume(value);
					continue;
				}
				if (prior.type === "slash" && prior.prev.type !== "bos" && rest[0] === "/") {
					const end = rest[1] !== void 0 ? "|$" : "";
					state.output = state.output.slice(0, -(prior.output + prev.output).length);
					prior.output = `(?:${prior.output}`;
					prev.type = "globstar";
					prev.output = `${globstar(opts)}${SLASH_LITERAL}|${SLASH_LITERAL}${end})`;
					prev.value += value;
					state.output += prior.output + prev.output;
					state.globstar = true;
					consume(value + advance());
					push({
						type: "slash",
						value: "/",
						output: ""
					});
					continue;
				}
				if (prior.type === "bos" && rest[0] === "/") {
					prev.type = "globstar";
					prev.value += value;
					prev.output = `(?:^|${SLASH_LITERAL}|${globstar(opts)}${SLASH_LITERAL})`;
					state.output = prev.output;
					state.globstar = true;
					consume(value + advance());
					push({
						type: "slash",
						value: "/",
						output: ""
					});
					continue;
				}
				state.output = state.output.slice(0, -prev.output.length);
				prev.type = "globstar";
				prev.output = globstar(opts);
				prev.value += value;
				state.output += prev.output;
				state.globstar = true;
				consume(value);
				continue;
			}
			const token = {
				type: "star",
				value,
				output: star
			};
			if (opts.bash === true) {
				token.output = ".*?";
				if (prev.type === "bos" || prev.type === "slash") token.output = nodot + token.output;
				push(token);
				continue;
			}
			if (prev && (prev.type === "bracket" || prev.type === "paren") && opts.regex === true) {
				token.output = value;
				push(token);
				continue;
			}
			if (state.index === state.start || prev.type === "slash" || prev.type === "dot") {
				if (prev.type === "dot") {
					state.output += NO_DOT_SLASH;
					prev.output += NO_DOT_SLASH;
				} else if (opts.dot === true) {
					state.output += NO_DOTS_SLASH;
					prev.output += NO_DOTS_SLASH;
				} else {
					state.output += nodot;
					prev.output += nodot;
				}
				if (peek() !== "*") {
					state.output += ONE_CHAR;
					prev.output += ONE_CHAR;
				}
			}
			push(token);
		}
		while (state.brackets > 0) {
			if (opts.strictBrackets === true) throw new SyntaxError(syntaxError("closing", "]"));
			state.output = utils.escapeLast(state.output, "[");
			decrement("brackets");
		}
		while (state.parens > 0) {
			if (opts.strictBrackets === true) throw new SyntaxError(syntaxError("closing", ")"));
			state.output = utils.escapeLast(state.output, "(");
			decrement("parens");
		}
		while (state.braces > 0) {
			if (opts.strictBrackets === true) throw new SyntaxError(syntaxError("closing", "}"));
			state.output = utils.escapeLast(state.output, "{");
			decrement("braces");
		}
		if (opts.strictSlashes !== true && (prev.type === "star" || prev.type === "bracket")) push({
			type: "maybe_slash",
			value: "",
			output: `${SLASH_LITERAL}?`
		});
		if (state.backtrack === true) {
			state.output = "";
			for (const token of state.tokens) {
				state.output += token.output != null ? token.output : token.value;
				if (token.suffix) state.output += token.suffix;
			}
		}
		return state;
	};
	/**
	* Fast paths for creating regular expressions for common glob patterns.
	* This can significantly speed up processing and has very little downside
	* impact when none of the fast paths match.
	*/
	parse.fastpaths = (input, options) => {
		const opts = { ...options };
		const max = typeof opts.maxLength === "number" ? Math.min(MAX_LENGTH, opts.maxLength) : MAX_LENGTH;
		const len = input.length;
		if (len > max) throw new SyntaxError(`Input length: ${len}, exceeds maximum allowed length: ${max}`);
		input = REPLACEMENTS[input] || input;
		const { DOT_LITERAL, SLASH_LITERAL, ONE_CHAR, DOTS_SLASH, NO_DOT, NO_DOTS, NO_DOTS_SLASH, STAR, START_ANCHOR } = constants.globChars(opts.windows);
		const nodot = opts.dot ? NO_DOTS : NO_DOT;
		const slashDot = opts.dot ? NO_DOTS_SLASH : NO_DOT;
		const capture = opts.capture ? "" : "?:";
		const state = {
			negated: false,
			prefix: ""
		};
		let star = opts.bash === true ? ".*?" : STAR;
		if (opts.capture) star = `(${star})`;
		const globstar = (opts) => {
			if (opts.noglobstar === true) return star;
			return `(${capture}(?:(?!${START_ANCHOR}${opts.dot ? DOTS_SLASH : DOT_LITERAL}).)*?)`;
		};
		const create = (str) => {
			switch (str) {
				case "*": return `${nodot}${ONE_CHAR}${star}`;
				case ".*": return `${DOT_LITERAL}${ONE_CHAR}${star}`;
				case "*.*": return `${nodot}${star}${DOT_LITERAL}${ONE_CHAR}${star}`;
				case "*/*": return `${nodot}${star}${SLASH_LITERAL}${ONE_CHAR}${slashDot}${star}`;
				case "**": return nodot + globstar(opts);
				case "**/*": return `(?:${nodot}${globstar(opts)}${SLASH_LITERAL})?${slashDot}${ONE_CHAR}${star}`;
				case "**/*.*": return `(?:${nodot}${globstar(opts)}${SLASH_LITERAL})?${slashDot}${star}${DOT_LITERAL}${ONE_CHAR}${star}`;
				case "**/.*": return `(?:${nodot}${globstar(opts)}${SLASH_LITERAL})?${DOT_LITERAL}${ONE_CHAR}${star}`;
				default: {
					const match = /^(.*?)\.(\w+)$/.exec(str);
					if (!match) return;
					const source = create(match[1]);
					if (!source) return;
					return source + DOT_LITERAL + match[2];
				}
			}
		};
		let source = create(utils.removePrefix(input, state));
		if (source && opts.strictSlashes !== true) source += `${SLASH_LITERAL}?`;
		return source;
	};
	module.exports = parse;
}));
// ../node_modules/picomatch/lib/picomatch.js
var require_picomatch$1 = /* @__PURE__ */ __commonJSMin(((exports, module) => {
	var scan = require_scan();
	var parse = require_parse();
	var utils = require_utils();
	var constants = require_constants();
	var isObject = (val) => val && typeof val === "object" && !Array.isArray(val);
	/**
	* Creates a matcher function from one or more glob patterns. The
	* returned function takes a string to match as its first argument,
	* and returns true if the string is a match. The returned matcher
	* function also takes a boolean as the second argument that, when true,
	* returns an object with additional information.
	*
	* ```js
	* const picomatch = require('picomatch');
	* // picomatch(glob[, options]);
	*
	* const isMatch = picomatch('*.!(*a)');
	* console.log(isMatch('a.a')); //=> false
	* console.log(isMatch('a.b')); //=> true
	*
	* // For environments without `node.js`, `picomatch/posix` provides you a dependency-free matcher, without automatic OS detection.
	* const picomatch = require('picomatch/posix');
	* // the same API, defaulting to posix paths
	* const isMatch = picomatch('a/*');
	* console.log(isMatch('a\\b')); //=> false
	* console.log(isMatch('a/b')); //=> true
	*
	* // you can still configure the matcher function to accept windows paths
	* const isMatch = picomatch('a/*', { options: windows });
	* console.log(isMatch('a\\b')); //=> true
	* console.log(isMatch('a/b')); //=> true
	* ```
	* @name picomatch
	* @param {String|Array} `globs` One or more glob patterns.
	* @param {Object=} `options`
	* @return {Function=} Returns a matcher function.
	* @api public
	*/
	var picomatch = (glob, options, returnState = false) => {
		if (Array.isArray(glob)) {
			const fns = glob.map((input) => picomatch(input, options, returnState));
			const arrayMatcher = (str) => {
				for (const isMatch of fns) {
					const state = isMatch(str);
					if (state) return state;
				}
				return false;
			};
			return arrayMatcher;
		}
		const isState = isObject(glob) && glob.tokens && glob.input;
		if (glob === "" || typeof glob !== "string" && !isState) throw new TypeError("Expected pattern to be a non-empty string");
		const opts = options || {};
		const posix = opts.windows;
		const regex = isState ? picomatch.compileRe(glob, options) : picomatch.makeRe(glob, options, false, true);
		const state = regex.state;
		delete regex.state;
		let isIgnored = () => false;
		if (opts.ignore) {
			const ignoreOpts = {
				...options,
				ignore: null,
				onMatch: null,
				onResult: null
			};
			isIgnored = picomatch(opts.ignore, ignoreOpts, returnState);
		}
		const matcher = (input, returnObject = false) => {
			const { isMatch, match, output } = picomatch.test(input, regex, options, {
				glob,
				posix
			});
			const result = {
				glob,
				state,
				regex,
				posix,
				input,
				output,
				match,
				isMatch
			};
			if (typeof opts.onResult === "function") opts.onResult(result);
			if (isMatch === false) {
				result.isMatch = false;
				return returnObject ? result : false;
			}
			if (isIgnored(input)) {
				if (typeof opts.onIgnore === "function") opts.onIgnore(result);
				result.isMatch = false;
				return returnObject ? result : false;
			}
			if (typeof opts.onMatch === "function") opts.onMatch(result);
			return returnObject ? result : true;
		};
		if (returnState) matcher.state = state;
		return matcher;
	};
	/**
	* Test `input` with the given `regex`. This is used by the main
	* `picomatch()` function to test the input string.
	*
	* ```js
	* const picomatch = require('picomatch');
	* // picomatch.test(input, regex[, options]);
	*
	* console.log(picomatch.test('foo/bar', /^(?:([^/]*?)\/([^/]*?))$/));
	* // { isMatch: true, match: [ 'foo/', 'foo', 'bar' ], output: 'foo/bar' }
	* ```
	* @param {String} `input` String to test.
	* @param {RegExp} `regex`
	* @return {Object} Returns an object with matching info.
	* @api public
	*/
	picomatch.test = (input, regex, options, { glob, posix } = {}) => {
		if (typeof input !== "string") throw new TypeError("Expected input to be a string");
		if (input === "") return {
			isMatch: false,
			output: ""
		};
		const opts = options || {};
		const format = opts.format || (posix ? utils.toPosixSlashes : null);
		let match = input === glob;
		let output = match && format ? format(input) : input;
		if (match === false) {
			output = format ? format(input) : input;
			match = output === glob;
		}
		if (match === false || opts.capture === true) {
			if (opts.matchBase === true || opts.basename === true) match = picomatch.matchBase(input, regex, options, posix);
			else match = regex.exec(output);
		}
		return {
			isMatch: Boolean(match),
			match,
			output
		};
	};
	/**
	* Match the basename of a filepath.
	*
	* ```js
	* const picomatch = require('picomatch');
	* // picomatch.matchBase(input, glob[, options]);
	* console.log(picomatch.matchBase('foo/bar.js', '*.js'); // true
	* ```
	* @param {String} `input` String to test.
	* @param {RegExp|String} `glob` Glob pattern or regex created by [.makeRe](#makeRe).
	* @return {Boolean}
	* @api public
	*/
	picomatch.matchBase = (input, glob, options, posix = options && options.windows) => {
		return (glob instanceof RegExp ? glob : picomatch.makeRe(glob, options)).test(utils.basename(input, { windows: posix }));
	};
	/**
	* Returns true if **any** of the given glob `patterns` match the specified `string`.
	*
	* ```js
	* const picomatch = require('picomatch');
	* // picomatch.isMatch(string, patterns[, options]);
	*
	* console.log(picomatch.isMatch('a.a', ['b.*', '*.a'])); //=> true
	* console.log(picomatch.isMatch('a.a', 'b.*')); //=> false
	* ```
	* @param {String|Array} str The string to test.
	* @param {String|Array} patterns One or more glob patterns to use for matching.
	* @param {Object} [options] See available [options](#options).
	* @return {Boolean} Returns true if any patterns match `str`
	* @api public
	*/
	picomatch.isMatch = (str, patterns, options) => picomatch(patterns, options)(str);
	/**
	* Parse a glob pattern to create the source string for a regular
	* expression.
	*
	* ```js
	* const picomatch = require('picomatch');
	* const result = picomatch.parse(pattern[, options]);
	* ```
	* @param {String} `pattern`
	* @param {Object} `options`
	* @return {Object} Returns an object with useful properties and output to be used as a regex source string.
	* @api public
	*/
	picomatch.parse = (pattern, options) => {
		if (Array.isArray(pattern)) return pattern.map((p) => picomatch.parse(p, options));
		return parse(pattern, {
			...options,
			fastpaths: false
		});
	};
	/**
	* Scan a glob pattern to separate the pattern into segments.
	*
	* ```js
	* const picomatch = require('picomatch');
	* // picomatch.scan(input[, options]);
	*
	* const result = picomatch.scan('!./foo/*.js');
	* console.log(result);
	* { prefix: '!./',
	*   input: '!./foo/*.js',
	*   start: 3,
	*   base: 'foo',
	*   glob: '*.js',
	*   isBrace: false,
	*   isBracket: false,
	*   isGlob: true,
	*   isExtglob: false,
	*   isGlobstar: false,
	*   negated: true }
	* ```
	* @param {String} `input` Glob pattern to scan.
	* @param {Object} `options`
	* @return {Object} Returns an object with
	* @api public
	*/
	picomatch.scan = (input, options) => scan(input, options);
	/**
	* Compile a regular expression from the `state` object returned by the
	* [parse()](#parse) method.
	*
	* ```js
	* const picomatch = require('picomatch');
	* const state = picomatch.parse('*.js');
	* // picomatch.compileRe(state[, options]);
	*
	* console.log(picomatch.compileRe(state));
	* //=> /^(?:(?!\.)(?=.)[^/]*?\.js)$/
	* ```
	* @param {Object} `state`
	* @param {Object} `options`
	* @param {Boolean} `returnOutput` Intended for implementors, this argument allows you to return the raw output from the parser.
	* @param {Boolean} `returnState` Adds the state to a `state` property on the returned regex. Useful for implementors and debugging.
	* @return {RegExp}
	* @api public
	*/
	picomatch.compileRe = (state, options, returnOutput = false, returnState = false) => {
		if (returnOutput === true) return state.output;
		const opts = options || {};
		const prepend = opts.contains ? "" : "^";
		const append = opts.contains ? "" : "$";
		let source = `${prepend}(?:${state.output})${append}`;
		if (state && state.negated === true) source = `^(?!${source}).*$`;
		const regex = picomatch.toRegex(source, options);
		if (returnState === true) regex.state = state;
		return regex;
	};
	/**
	* Create a regular expression from a parsed glob pattern.
	*
	* ```js
	* const picomatch = require('picomatch');
	* // picomatch.makeRe(state[, options]);
	*
	* const result = picomatch.makeRe('*.js');
	* console.log(result);
	* //=> /^(?:(?!\.)(?=.)[^/]*?\.js)$/
	* ```
	* @param {String} `state` The object returned from the `.parse` method.
	* @param {Object} `options`
	* @param {Boolean} `returnOutput` Implementors may use this argument to return the compiled output, instead of a regular expression. This is not exposed on the options to prevent end-users from mutating the result.
	* @param {Boolean} `returnState` Implementors may use this argument to return the state from the parsed glob with the returned regular expression.
	* @return {RegExp} Returns a regex created from the given pattern.
	* @api public
	*/
	picomatch.makeRe = (input, options = {}, returnOutput = false, returnState = false) => {
		if (!input || typeof input !== "string") throw new TypeError("Expected a non-empty string");
		let parsed = {
			negated: false,
			fastpaths: true
		};
		if (options.fastpaths !== false && (input[0] === "." || input[0] === "*")) parsed.output = parse.fastpaths(input, options);
		if (!parsed.output) parsed = parse(input, options);
		return picomatch.compileRe(parsed, options, returnOutput, returnState);
	};
	/**
	* Create a regular expression from the given regex source string.
	*
	* ```js
	* const picomatch = require('picomatch');
	* // picomatch.toRegex(source[, options]);
	*
	* const { output } = picomatch.parse('*.js');
	* console.log(picomatch.toRegex(output));
	* //=> /^(?:(?!\.)(?=.)[^/]*?\.js)$/
	* ```
	* @param {String} `source` Regular expression source string.
	* @param {Object} `options`
	* @return {RegExp}
	* @api public
	*/
	picomatch.toRegex = (source, options) => {
		try {
			const opts = options || {};
			return new RegExp(source, opts.flags || (opts.nocase ? "i" : ""));
		} catch (err) {
			if (options && options.debug === true) throw err;
			return /$^/;
		}
	};
	/**
	* Picomatch constants.
	* @return {Object}
	*/
	picomatch.constants = constants;
	/**
	* Expose "picomatch"
	*/
	module.exports = picomatch;
}));
// src/sync.ts
/**
* `sync DIR` makes a collection hold what a folder holds. Unchanged files are not sent. What was sent before the command
* was killed is there, so that the next call goes on.
*/
var import_picomatch = /* @__PURE__ */ __toESM((/* @__PURE__ */ __commonJSMin(((exports, module) => {
	var pico = require_picomatch$1();
	var utils = require_utils();
	function picomatch(glob, options, returnState = false) {
		if (options && (options.windows === null || options.windows === void 0)) options = {
			...options,
			windows: utils.isWindows()
		};
		return pico(glob, options, returnState);
	}
	Object.assign(picomatch, pico);
	module.exports = picomatch;
})))(), 1);
/** Above this a file is sent in pieces, and goes on where a broken line has left it. */
var largeBytes = 33554432;
var entriesAtOnce = 1e4;
var usualAtOnce = 4;
/** What editors, systems and version control leave in folders. */
var usuallyLeftOut = [
	"**/.*",
	"**/.*/**",
	"**/node_modules/**",
	"**/~$*",
	"**/Thumbs.db"
];
async function sync(context) {
	const { options, words, atrium, signal } = context;
	const [given, ...rest] = words;
	if (given === void 0 || rest.length > 0) throw new Failure("Usage: atrium sync DIR [--collection NAME]", "usage");
	const folder = resolve(given);
	if ((await stat(folder).catch(() => null))?.isDirectory() !== true) throw new Failure(`${folder} is no folder`, "usage");
	const found = await read$1(folder, context);
	const client = await atrium();
	const named = options.collection ?? basename(folder);
	const entries = found.map(({ externalId, sha256 }) => ({
		externalId,
		sha256
	}));
	const collectionId = await collectionFor(client, named, options["dry-run"] === true);
	if (options["dry-run"] === true) return preview(context, client, {
		collectionId,
		entries
	});
	const opened = await client.knowledge.syncs.open(collectionId, {
		entries: entries.slice(0, entriesAtOnce),
		ifOpen: "cancel"
	});
	const wanted = new Set(opened.upload.map(({ externalId }) => externalId));
	for (let from = entriesAtOnce; from < entries.length; from += entriesAtOnce) {
		const more = await client.knowledge.syncs.add(opened.sync.id, entries.slice(from, from + entriesAtOnce));
		for (const { externalId } of more.upload) wanted.add(externalId);
	}
	const failed = await send(context, client, {
		collectionId,
		files: found.filter(({ externalId }) => wanted.has(externalId))
	});
	signal.throwIfAborted();
	if (failed > 0) {
		await client.knowledge.syncs.cancel(opened.sync.id);
		throw new Failure(`${failed} of ${wanted.size} files could not be sent. Nothing was deleted.`);
	}
	await complete(context, client, opened.sync.id);
}
async function complete({ terminal, options }, client, id) {
	const confirmed = options["confirm-deletes"];
	const confirmation = confirmed === void 0 ? {} : { confirmDeletes: Number(confirmed) };
	try {
		const { added, changed, unchanged, deleted } = await client.knowledge.syncs.complete(id, confirmation);
		terminal.value({
			added,
			changed,
			unchanged,
			deleted
		});
		terminal.line(`${added} added, ${changed} changed, ${unchanged} unchanged, ${deleted} deleted`);
	} catch (error) {
		if (!(error instanceof ConflictError) || error.code !== "delete_guard") throw error;
		await client.knowledge.syncs.cancel(id);
		throw new Failure(`${error.message}\nIf that is right, repeat the command with --confirm-deletes N. Nothing was deleted.`);
	}
}
async function preview({ terminal }, client, { collectionId, entries }) {
	if (entries.length > entriesAtOnce) throw new Failure(`A dry run takes at most ${entriesAtOnce} files; the folder has ${entries.length}`);
	const plan = await client.knowledge.syncs.preview(collectionId, { entries });
	terminal.value(plan);
	terminal.line(JSON.stringify(plan, null, 2));
}
async function collectionFor(client, named, mustExist) {
	if (/^col_/.test(named)) return named;
	const { items } = await client.knowledge.collections.list({ name: named }).page();
	if (items.length > 1) throw new Failure(`Several collections are named “${named}”: name one by its id`);
	const [found] = items;
	if (found !== void 0) return found.id;
	if (mustExist) throw new Failure(`There is no collection named “${named}” yet: every file would be new.`);
	return (await client.knowledge.collections.create({ name: named })).id;
}
async function read$1(folder, { terminal, options, signal }) {
	const isLeftOut = (0, import_picomatch.default)([...usuallyLeftOut, ...options.exclude ?? []], { dot: true });
	const found = [];
	for await (const entry of await opendir(folder, { recursive: true })) {
		signal.throwIfAborted();
		if (!entry.isFile()) continue;
		const path = join(entry.parentPath, entry.name);
		const externalId = path.slice(folder.length + 1).split(sep).join("/");
		if (isLeftOut(externalId)) continue;
		const { size } = await stat(path);
		if (size === 0) continue;
		found.push({
			externalId,
			path,
			bytes: size,
			sha256: await hashOf(path)
		});
		terminal.progress(found.length, found.length, `files read  ${externalId}`);
	}
	terminal.clear();
	return found.sort((one, other) => one.externalId < other.externalId ? -1 : 1);
}
async function hashOf(path) {
	const hash = createHash("sha256");
	for await (const piece of createReadStream(path)) hash.update(piece);
	return hash.digest("hex");
}
/** Returns how many could not be sent. */
async function send({ terminal, options, signal }, client, { collectionId, files }) {
	const queue = files.values();
	let done = 0;
	let failed = 0;
	const work = async () => {
		for (const { externalId, path, bytes } of queue) {
			signal.throwIfAborted();
			try {
				const name = basename(path);
				if (bytes > largeBytes) await client.knowledge.uploads.send({
					collectionId,
					externalId,
					name
				}, await openAsBlob(path), { signal });
				else {
					const file = {
						name,
						content: await openAsBlob(path)
					};
					await client.knowledge.documents.put({
						collectionId,
						externalId,
						file
					}, { signal });
				}
				terminal.value({ sent: externalId });
			} catch (error) {
				signal.throwIfAborted();
				if (!(error instanceof ApiError ? !error.retryable && error.statusCode !== 401 && error.statusCode !== 403 : isMissing(error))) throw error;
				failed++;
				terminal.value({
					failed: externalId,
					message: error.message
				});
				terminal.fault(`${externalId}: ${error.message}`);
			}
			done++;
			terminal.progress(done, files.length, externalId);
		}
	};
	const atOnce = limitOf(options.parallel, usualAtOnce, 16);
	await Promise.all(Array.from({ length: atOnce }, work));
	terminal.clear();
	return failed;
}
var isMissing = (error) => [
	"ENOENT",
	"EACCES",
	"ERR_INVALID_ARG_VALUE"
].includes(String(error.code));
// src/terminal.ts
/** What the command prints: answers to standard output, everything else to standard error, JSON where it is asked for. */
function createTerminal({ out, err, json, env }) {
	const hasColours = err.isTTY === true && !env.NO_COLOR;
	const isShown = err.isTTY === true && !json;
	let shown = "";
	const clear = () => {
		if (shown !== "") err.write("\r\x1B[K");
		shown = "";
	};
	return {
		json,
		/** Whether a person can be shown what changes, such as a bar. */
		isShown,
		/** The text of an answer, as it comes. */
		write: (text) => void (json || out.write(text)),
		line(text) {
			clear();
			if (!json) out.write(`${text}\n`);
		},
		/** For programs: one line. */
		value(value) {
			if (json) out.write(`${JSON.stringify(value)}\n`);
		},
		/** What goes on, for people. */
		note(text) {
			clear();
			if (!json) err.write(`${text}\n`);
		},
		fault(text) {
			clear();
			err.write(`${hasColours ? styleText("red", text, {
				stream: err,
				validateStream: false
			}) : text}\n`);
		},
		dim: (text) => hasColours ? styleText("dim", text, {
			stream: err,
			validateStream: false
		}) : text,
		/** How far the work is, in one line that replaces itself. */
		progress(done, total, what) {
			if (!isShown) return;
			const width = 24;
			const filled = total === 0 ? width : Math.floor(done / total * width);
			const text = `${`${"█".repeat(filled)}${"░".repeat(width - filled)}`} ${done}/${total} ${what}`.slice(0, (err.columns ?? 80) - 1);
			clear();
			err.write(text);
			shown = text;
		},
		clear
	};
}
// src/watch.ts
/** `listen` brings webhooks to a server at home, which needs no address outside; `runs tail` shows runs as they happen. */
var pollMs = 2e3;
var longestPauseMs = 3e4;
var deliveryMs = 15e3;
var triesOfDelivery = 3;
async function listen(context) {
	const { terminal, options, atrium, signal } = context;
	const to = options["forward-to"];
	if (to === void 0 || !URL.canParse(to)) throw new Failure("Usage: atrium listen --forward-to http://localhost:3000/webhooks", "usage");
	const secret = options.secret ?? `whsec_${randomBytes(32).toString("base64")}`;
	const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
	if (!/^whsec_/.test(secret) || key.length < 16) throw new Failure("--secret must be whsec_ and base64", "usage");
	const client = await atrium();
	const types = (options.events ?? "").split(",").filter((type) => type !== "");
	const since = options.since ?? (/* @__PURE__ */ new Date()).toISOString();
	terminal.note(`Events since ${since} go to ${to}, signed with\n\n    ${secret}\n`);
	terminal.value({
		forwardTo: to,
		secret,
		since
	});
	await follow(context, newEvents(client, since), async (event) => {
		if (types.length > 0 && !types.some((type) => isOfType(event.type, type))) return;
		const status = await deliver(event, {
			to,
			key,
			signal
		});
		terminal.value({
			id: event.id,
			type: event.type,
			status
		});
		terminal.line(`${event.createdAt}  ${event.type.padEnd(26)} ${event.id}  → ${status}`);
	});
}
/** `run.*` is every type of a kind. */
var isOfType = (type, wanted) => wanted === "*" || type === wanted || wanted.endsWith(".*") && type.startsWith(wanted.slice(0, -1));
/** As the server itself sends it, by Standard Webhooks; answers the status, or why there is none. */
async function deliver(event, { to, key, signal }) {
	const body = JSON.stringify(event);
	for (let tries = 1;; tries++) {
		const timestamp = String(Math.floor(Date.now() / 1e3));
		const signature = createHmac("sha256", key).update(`${event.id}.${timestamp}.${body}`).digest("base64");
		try {
			const reply = await fetch(to, {
				method: "POST",
				headers: {
					"content-type": "application/json",
					"webhook-id": event.id,
					"webhook-timestamp": timestamp,
					"webhook-signature": `v1,${signature}`
				},
				body,
				redirect: "manual",
				signal: AbortSignal.any([signal, AbortSignal.timeout(deliveryMs)])
			});
			await reply.body?.cancel();
			return String(reply.status);
		} catch (error) {
			signal.throwIfAborted();
			const cause = error.cause?.code ?? error.message;
			if (tries >= triesOfDelivery) return `not delivered (${cause})`;
			await setTimeout$1(500 * tries, void 0, { signal });
		}
	}
}
async function tailRuns(context) {
	const { terminal, options, words, atrium } = context;
	const client = await atrium();
	const [first] = words;
	if (first !== void 0) return tailRun(context, client, first);
	const agent = options.agent;
	const agentId = agent === void 0 ? void 0 : await idOf(agent, /^agt_/, "agent", (name) => client.agents.list({ name }));
	const query = agentId === void 0 ? {} : { agentId };
	const { items } = await client.runs.list({
		...query,
		pageSize: limitOf(options.limit, 10, 100)
	}).page();
	const shown = /* @__PURE__ */ new Map();
	const show = (run) => {
		if (shown.get(run.id) === run.status) return;
		shown.set(run.id, run.status);
		terminal.value(run);
		terminal.line(`${run.createdAt}  ${run.status.padEnd(9)} ${run.id}  ${firstLine(run.prompt)}`);
	};
	for (const run of items.toReversed()) show(run);
	if (options["no-follow"] === true) return;
	const recent = async function* () {
		const { items: now } = await client.runs.list({
			...query,
			pageSize: 100
		}).page();
		yield* now.toReversed();
	};
	await follow(context, recent, async (run) => {
		if (shown.size > 1e4) shown.clear();
		show(run);
	});
}
async function tailRun({ terminal, signal }, client, id) {
	for await (const event of client.runs.follow(id, {
		signal,
		reconnectMs: 6e5
	})) {
		terminal.value(event);
		if (event.type === "text.delta") terminal.write(event.text);
		else if (event.type !== "reasoning.delta") terminal.note(terminal.dim(`${event.at}  ${event.type}`));
	}
	terminal.write("\n");
}
var firstLine = (text) => (text ?? "").split("\n", 1)[0]?.slice(0, 60) ?? "";
/** Yields what is newer than what it yielded before, oldest first. */
function newEvents(client, since) {
	let createdAfter = since;
	let seen = /* @__PURE__ */ new Set();
	return async function* () {
		const fresh = [];
		for await (const event of client.events.list({ createdAfter })) fresh.push(event);
		const ids = /* @__PURE__ */ new Set();
		for (const event of fresh.toReversed()) {
			ids.add(event.id);
			if (!seen.has(event.id)) yield event;
		}
		seen = ids;
		const overlap = (/* @__PURE__ */ new Date(Date.parse(fresh[0]?.createdAt ?? createdAfter) - 1e4)).toISOString();
		if (fresh.length > 0 && overlap > createdAfter) createdAfter = overlap;
	};
}
/** Asks again and again until Ctrl-C; a server that is away is told once, and asked less often. */
async function follow({ terminal, signal }, next, each) {
	let faults = 0;
	while (!signal.aborted) {
		try {
			for await (const item of next()) {
				signal.throwIfAborted();
				await each(item);
			}
			if (faults > 0) terminal.note("The server is back.");
			faults = 0;
		} catch (error) {
			if (signal.aborted) return;
			if (!(error.retryable === true || error.name === "ConnectionError" || error.name === "TimeoutError")) throw error;
			if (faults === 0) terminal.note(`${error.message}. Trying again…`);
			faults++;
		}
		await setTimeout$1(Math.min(longestPauseMs, pollMs * (faults + 1)), void 0, { signal }).catch(() => void 0);
	}
}
// src/main.ts
/** `atrium COMMAND`: which commands there are, how their words are read, and how they end. */
var text$1 = { type: "string" };
var flag = { type: "boolean" };
var commands = {
	login: {
		usage: "login [--url URL] [--with-key < FILE]",
		summary: "Sign in with a browser, or keep a key",
		options: { "with-key": flag },
		run: login
	},
	logout: {
		usage: "logout",
		summary: "Forget the profile and end its tokens",
		run: logout
	},
	whoami: {
		usage: "whoami",
		summary: "Which workspace, and what you may do",
		run: whoAmI
	},
	ask: {
		usage: "ask AGENT QUESTION [--conversation ID]",
		summary: "Stream an answer with its sources; piped text is added to the question",
		options: { conversation: text$1 },
		run: ask
	},
	search: {
		usage: "search QUESTION [--collection NAME] [--limit N]",
		summary: "Show the passages that answer best",
		options: {
			collection: text$1,
			limit: text$1
		},
		run: search
	},
	sync: {
		usage: "sync DIR [--collection NAME] [--dry-run] [--exclude GLOB] [--confirm-deletes N] [--parallel N]",
		summary: "Make a collection hold what a folder holds",
		options: {
			collection: text$1,
			"dry-run": flag,
			exclude: {
				type: "string",
				multiple: true
			},
			"confirm-deletes": text$1,
			parallel: text$1
		},
		run: sync
	},
	listen: {
		usage: "listen --forward-to URL [--events TYPES] [--since TIME] [--secret whsec_…]",
		summary: "Send events to a local server, signed as webhooks are",
		options: {
			"forward-to": text$1,
			events: text$1,
			since: text$1,
			secret: text$1
		},
		run: listen
	},
	runs: {
		usage: "runs tail [RUN] [--agent NAME] [--limit N] [--no-follow]",
		summary: "Show runs as they happen, or one run’s events",
		options: {
			agent: text$1,
			limit: text$1,
			"no-follow": flag
		},
		run: (context) => {
			const [verb, ...words] = context.words;
			if (verb !== "tail") throw new Failure("Usage: atrium runs tail [RUN]", "usage");
			return tailRuns({
				...context,
				words
			});
		}
	},
	completion: {
		usage: "completion bash|zsh|fish",
		summary: "Print a script that completes commands",
		run: async ({ terminal, words }) => {
			terminal.write(completionScript(words[0], described()));
		}
	}
};
var common = {
	json: { type: "boolean" },
	profile: { type: "string" },
	url: { type: "string" },
	help: {
		type: "boolean",
		short: "h"
	}
};
var described = () => Object.entries(commands).map(([name, { summary, options = {} }]) => ({
	name,
	summary,
	options: Object.keys({
		...options,
		...common
	}).map((option) => `--${option}`)
}));
var help = () => `Usage: atrium COMMAND

${Object.values(commands).map(({ usage, summary }) => `  ${usage}\n      ${summary}`).join("\n")}

Every command takes --json (one JSON value on each line), --profile NAME and --help.
ATRIUM_URL and ATRIUM_API_KEY win over the profile. Exit codes: 0 done, 1 failed, 2 wrong usage, 4 sign in first.
`;
process.exitCode = await main(process.argv.slice(2));
async function main(words) {
	const { env, stdin, stdout, stderr } = process;
	const [name = "help", ...rest] = words;
	const aborted = new AbortController();
	const interrupt = () => {
		if (aborted.signal.aborted) process.exit(exitCodes.interrupted);
		aborted.abort(new Failure("Interrupted", "interrupted"));
	};
	process.on("SIGINT", interrupt);
	process.on("SIGTERM", interrupt);
	stdout.on("error", (error) => process.exit(error.code === "EPIPE" ? 0 : 1));
	const terminal = createTerminal({
		out: stdout,
		err: stderr,
		json: rest.includes("--json"),
		env
	});
	try {
		const command = Object.hasOwn(commands, name) ? commands[name] : void 0;
		if (command === void 0) {
			const isAsked = [
				"help",
				"--help",
				"-h"
			].includes(name);
			(isAsked ? stdout : stderr).write(isAsked ? help() : `There is no command “${name}”.\n\n${help()}`);
			return isAsked ? exitCodes.done : exitCodes.usage;
		}
		const { values, positionals } = read(rest, {
			...command.options,
			...common
		});
		if (values.help === true) {
			stdout.write(`Usage: atrium ${command.usage}\n\n${command.summary}\n`);
			return exitCodes.done;
		}
		const store = createProfileStore(env);
		const options = values;
		await command.run({
			terminal,
			store,
			env: options.url === void 0 ? env : {
				...env,
				ATRIUM_URL: options.url
			},
			options,
			words: positionals,
			atrium: () => connect({
				profile: options.profile,
				env: options.url === void 0 ? env : {
					...env,
					ATRIUM_URL: options.url
				},
				store
			}),
			stdin: async () => isPiped() ? text(stdin) : "",
			signal: aborted.signal
		});
		return exitCodes.done;
	} catch (error) {
		const { message, code, details } = describeFailure(aborted.signal.aborted ? aborted.signal.reason : error);
		terminal.value({ error: {
			message,
			...details
		} });
		terminal.fault(message);
		return code;
	} finally {
		terminal.clear();
	}
}
/** A shell's pipe or file. Anything else may never end: a service manager leaves a socket open. */
function isPiped() {
	const info = fstatSync(0);
	return info.isFIFO() || info.isFile();
}
function read(words, options) {
	try {
		return parseArgs({
			args: words,
			options,
			allowPositionals: true
		});
	} catch (error) {
		throw new Failure(error.message, "usage");
	}
}
export {};
