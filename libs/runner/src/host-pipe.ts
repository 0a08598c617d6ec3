/** The file descriptor of the pipe that joins the engine host to the process that started it. */
export const HOST_PIPE = 3;
