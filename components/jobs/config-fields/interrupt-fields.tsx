/** An interrupt recording has nothing to configure: it records until somebody cancels it. */
export const InterruptFields = () => null;
