// Threads of the C library: a mutex, a condition variable and thread-local storage.
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready, sum;
static __thread int own;
static void *work(void *number) {
  own = (int)(long)number;
  for (int i = 0; i < 200; i++) own += i % 3;
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&condition, &mutex);
  sum += own;
  pthread_mutex_unlock(&mutex);
  return number; }
int main(void) {
  pthread_t threads[3];
  for (long i = 0; i < 3; i++) pthread_create(&threads[i], 0, work, (void *)i);
  pthread_mutex_lock(&mutex); ready = 1; pthread_cond_broadcast(&condition); pthread_mutex_unlock(&mutex);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  printf("%d\n", sum);
  return sum == 600 ? 42 : 1; }
