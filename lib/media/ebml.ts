/** Elements of EBML (RFC 8794), of which WebM and Matroska consist. */

export interface Element {
	id: number;
	/** Offset of its content. */
	body: number;
	/** Null if the element has unknown size. */
	end: number | null;
}

/** An id of 1 to 4 bytes, a size of 1 to 8. */
export const ELEMENT_HEADER_BYTES = 12;

/** The element that begins at `at`; null if its header is invalid or cut off. */
export function elementAt(bytes: Buffer, at: number): Element | null {
	const idBytes = leadingZeros(bytes[at]) + 1;
	if (idBytes > 4 || at + idBytes >= bytes.length) return null;
	const id = bytes.readUIntBE(at, idBytes);
	const size = variableSize(bytes, at + idBytes);
	if (size === null) return null;
	const body = at + idBytes + size.width;
	if (size.value !== null && size.value > Number.MAX_SAFE_INTEGER - body) return null;
	return { id, body, end: size.value === null ? null : body + size.value };
}

/** A number whose first byte says how long it is; its value is null if it means "unknown". */
export function variableSize(bytes: Buffer, at: number): { value: number | null; width: number } | null {
	const width = leadingZeros(bytes[at]) + 1;
	if (width > 8 || at + width > bytes.length) return null;
	let value = (bytes[at] as number) & (0xff >>> width);
	let unknown = value === 0xff >>> width;
	for (let place = at + 1; place < at + width; place += 1) {
		value = value * 256 + (bytes[place] as number);
		unknown &&= bytes[place] === 0xff;
	}
	return { value: unknown ? null : value, width };
}

const leadingZeros = (byte: number | undefined): number => (byte === undefined ? 8 : Math.clz32(byte) - 24);

export function* childrenOf(bytes: Buffer, parent: Element): Generator<Element> {
	const end = parent.end ?? bytes.length;
	let at = parent.body;
	while (at < end) {
		const element = elementAt(bytes, at);
		if (element?.end == null || element.end > end) return;
		yield element;
		at = element.end;
	}
}

export function childOf(bytes: Buffer, parent: Element, id: number): Element | null {
	for (const element of childrenOf(bytes, parent)) if (element.id === id) return element;
	return null;
}

export const textOf = (bytes: Buffer, element: Element): string =>
	bytes.toString("latin1", element.body, element.end ?? element.body).replace(/\0+$/, "");

/** 0 for an empty element, and for one with more than 48 bits. */
export function unsignedOf(bytes: Buffer, element: Element): number {
	const width = (element.end ?? element.body) - element.body;
	return width > 0 && width <= 6 ? bytes.readUIntBE(element.body, width) : 0;
}

/** 0 for an empty element. */
export function floatOf(bytes: Buffer, element: Element): number {
	const width = (element.end ?? element.body) - element.body;
	return width === 8 ? bytes.readDoubleBE(element.body) : width === 4 ? bytes.readFloatBE(element.body) : 0;
}
