//! Channels that others wrote: their ends are alike in all but their types.

/// Makes the strategy of a channel. A macro, as no trait stands above the ends of channels of different crates.
macro_rules! strategy_of_channel {
    ($strategy:ident, $open:ident, $sender:ident::$send:ident, $receiver:ident::$receive:ident) => {
        struct $strategy;

        impl Strategy for $strategy {
            type Put<T: Send + 'static> = $sender<T>;
            type Take<T: Send + 'static> = $receiver<T>;

            fn open<T: Send + 'static>(bounds: &Bounds) -> io::Result<Ends<Self::Put<T>, Self::Take<T>>> {
                let (put, take) = $open(bounds.depth);
                Ok(Ends { puts: vec![put; bounds.senders], take })
            }
        }

        impl<T: Send + 'static> Put<T> for $sender<T> {
            fn put(&mut self, message: T) -> io::Result<()> {
                self.$send(message).map_err(|_| hung_up())
            }
        }

        impl<T: Send + 'static> Take<T> for $receiver<T> {
            fn take(&mut self) -> io::Result<T> {
                // Most answer with a result, one with an option.
                self.$receive().into_iter().next().ok_or_else(hung_up)
            }
        }
    };
}

pub(super) use strategy_of_channel;
